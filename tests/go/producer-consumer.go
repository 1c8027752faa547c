// Producers and consumers with a bounded buffer made of a mutex and two condition variables.
package main

import (
	"fmt"
	"sync"
)

type buffer struct {
	mu                sync.Mutex
	notFull, notEmpty *sync.Cond
	items             []int
	limit             int
}

func newBuffer(limit int) *buffer {
	b := &buffer{limit: limit}
	b.notFull = sync.NewCond(&b.mu)
	b.notEmpty = sync.NewCond(&b.mu)
	return b
}

func (b *buffer) put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == b.limit {
		b.notFull.Wait()
	}
	b.items = append(b.items, v)
	b.notEmpty.Signal()
}

func (b *buffer) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.notEmpty.Wait()
	}
	v := b.items[0]
	b.items = b.items[1:]
	b.notFull.Signal()
	return v
}

func main() {
	b := newBuffer(2)
	var producers, consumers sync.WaitGroup
	for p := 1; p <= 2; p++ {
		producers.Add(1)
		go func() {
			defer producers.Done()
			for i := 0; i < 4; i++ {
				b.put(p*10 + i)
				fmt.Println("put", p*10+i)
			}
		}()
	}
	for c := 1; c <= 2; c++ {
		consumers.Add(1)
		go func() {
			defer consumers.Done()
			for v := b.get(); v >= 0; v = b.get() {
				fmt.Println("consumer", c, "got", v)
			}
		}()
	}
	producers.Wait()
	b.put(-1)
	b.put(-1)
	consumers.Wait()
}
