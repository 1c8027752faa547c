// Print calls of one goroutine may be mixed with another's.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		fmt.Println("go", "one")
		fmt.Println("go", "two")
		wg.Done()
	}()
	fmt.Println("main", "one")
	fmt.Println("main", "two")
	wg.Wait()
}
