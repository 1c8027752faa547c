// What looks like a leak and is none: each G that waits can still be released by a timer, or by another G.
// clean

package main

import (
	"sync"
	"time"
)

var global = make(chan int)

type node struct {
	next *node
	c    chan int
}

func main() {
	timer := make(chan bool)
	go func() {
		for {
			select {
			case <-timer:
			case <-time.After(time.Second):
			}
		}
	}()
	go func() {
		for range time.Tick(time.Hour) {
			global <- 1
		}
	}()
	go func() { <-global }()
	n := &node{next: &node{c: make(chan int)}}
	channels := map[string][]chan int{"a": {make(chan int)}}
	carrier := make(chan chan int, 1)
	carried := make(chan int)
	carrier <- carried
	go func() {
		time.Sleep(time.Hour)
		n.next.c <- 1
		channels["a"][0] <- 1
		(<-carrier) <- 1
	}()
	go func(c chan int) { <-c }(n.next.c)
	go func(c chan int) { <-c }(channels["a"][0])
	go func(c chan int) { <-c }(carried)
	var mu sync.Mutex
	mu.Lock()
	time.AfterFunc(time.Hour, mu.Unlock)
	go mu.Lock()
	var wg sync.WaitGroup
	wg.Add(1)
	time.AfterFunc(time.Hour, func() { wg.Done() })
	go wg.Wait()
	time.Sleep(time.Millisecond)
}
