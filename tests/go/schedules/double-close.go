// Both may find the channel open: a panic, or not.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var closed atomic.Bool
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ {
		go func() {
			defer wg.Done()
			if !closed.Load() {
				closed.Store(true)
				close(c)
			}
		}()
	}
	wg.Wait()
	_, ok := <-c
	fmt.Println(ok)
}
