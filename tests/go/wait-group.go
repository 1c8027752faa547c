// WaitGroup: several waiters, reuse, Go, and a counter that becomes negative.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg, waiters sync.WaitGroup
	wg.Add(2)
	for i := range 3 {
		waiters.Add(1)
		go func() {
			defer waiters.Done()
			wg.Wait()
			fmt.Println("waiter", i, "continues")
		}()
	}
	go func() { fmt.Println("first done"); wg.Done() }()
	go func() { fmt.Println("second done"); wg.Add(-1) }()
	waiters.Wait()
	wg.Wait()
	for i := range 2 {
		wg.Go(func() { fmt.Println("started by Go", i) })
	}
	wg.Wait()
	defer fmt.Println("deferred")
	defer func() { fmt.Println(recover()) }()
	wg.Done()
}
