// Signal wakes the goroutine that has waited longest, Broadcast wakes all.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := 0
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			for ready == 0 {
				fmt.Println(i, "waits")
				c.Wait()
			}
			ready--
			fmt.Println(i, "goes")
			mu.Unlock()
		}()
	}
	for i := 0; i < 5; i++ {
		runtime.Gosched()
	}
	mu.Lock()
	ready = 1
	c.Signal()
	mu.Unlock()
	runtime.Gosched()
	mu.Lock()
	ready = 3
	c.Broadcast()
	fmt.Println("broadcast")
	mu.Unlock()
	wg.Wait()
}
