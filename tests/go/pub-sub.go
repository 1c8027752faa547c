// Publish and subscribe: each subscriber has a channel of its own.
package main

import (
	"fmt"
	"sync"
)

type broker struct {
	mu   sync.RWMutex
	subs map[string][]chan string
}

func (b *broker) subscribe(topic string) <-chan string {
	c := make(chan string, 4)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs == nil {
		b.subs = map[string][]chan string{}
	}
	b.subs[topic] = append(b.subs[topic], c)
	return c
}

func (b *broker) publish(topic, message string) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, c := range b.subs[topic] {
		c <- message
	}
	return len(b.subs[topic])
}

func (b *broker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, list := range b.subs {
		for _, c := range list {
			close(c)
		}
	}
}

func main() {
	var b broker
	var wg sync.WaitGroup
	for i, topic := range []string{"news", "sport", "news"} {
		c := b.subscribe(topic)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m := range c {
				fmt.Printf("subscriber %d: %s\n", i, m)
			}
			fmt.Println("subscriber", i, "leaves")
		}()
	}
	fmt.Println(b.publish("news", "rain"), b.publish("sport", "2:1"), b.publish("art", "nobody"))
	b.publish("news", "sun")
	b.close()
	wg.Wait()
}
