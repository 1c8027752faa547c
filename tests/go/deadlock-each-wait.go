// Every goroutine waits, each in another way: Go lists them with what they wait for.
package main

import (
	"fmt"
	"sync"
)

func send(c chan<- int)    { c <- 1 }
func receive(c <-chan int) { <-c }

func ranged(c <-chan int) {
	for range c {
	}
}

func main() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(&sync.Mutex{})
	c := make(chan int)
	var none chan int
	wg.Add(1)
	mu.Lock()
	rw.RLock()
	go send(make(chan int))
	go receive(c)
	go ranged(c)
	go send(none)
	go receive(none)
	go func() { mu.Lock() }()
	go func() { rw.Lock() }()
	go func() { cond.L.Lock(); cond.Wait() }()
	go func() {
		select {
		case <-c:
		case c <- 1:
		}
	}()
	go func() { select {} }()
	fmt.Println("main waits too")
	wg.Wait()
}
