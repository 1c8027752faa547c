// One of them does it, and all have it.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var once sync.Once
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			once.Do(func() { fmt.Print("by ", i, " ") })
			fmt.Print(i, " ")
		}()
	}
	wg.Wait()
	fmt.Println()
}
