// Add is called once too often.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	for i := range 2 {
		go func() {
			defer wg.Done()
			fmt.Println("worker", i)
		}()
	}
	wg.Wait()
	fmt.Println("not reached")
}
