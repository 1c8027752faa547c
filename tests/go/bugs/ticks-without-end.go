// A ticker of a nanosecond keeps one thread busy for as long as it likes, while another is in the middle of a steal: what that thread has to
// log comes late, and the rings are full before. Right as it is.
// clean
// with: --seed 1001

package main

import (
	"sync"
	"time"
)

type keeper struct {
	tokens map[string]bool
	add    chan string
	stop   chan bool
	mu     sync.Mutex
}

func (k *keeper) run() {
	tick := time.NewTicker(time.Nanosecond)
	defer tick.Stop()
	for {
		select {
		case name := <-k.add:
			k.tokens[name] = true
		case <-tick.C:
			for name := range k.tokens {
				delete(k.tokens, name)
			}
		case <-k.stop:
			k.stop <- true
			return
		}
	}
}

func (k *keeper) enter() {
	k.mu.Lock()
	k.add <- "name"
	k.mu.Unlock()
}

func main() {
	k := &keeper{tokens: map[string]bool{}, add: make(chan string, 1), stop: make(chan bool)}
	go k.run()
	var wg sync.WaitGroup
	wg.Add(3)
	for i := 0; i < 3; i++ {
		go func() {
			defer wg.Done()
			k.enter()
		}()
	}
	wg.Wait()
	k.stop <- true
	<-k.stop
}
