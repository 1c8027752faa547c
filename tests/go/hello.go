// Three workers print in an order that the scheduler decides: the last one that was started runs first.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println("worker", i)
		}()
	}
	wg.Wait()
	fmt.Println("all done")
}
