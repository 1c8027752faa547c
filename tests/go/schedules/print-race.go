// Two goroutines print, and main waits for both.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for _, s := range []string{"a", "b"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Print(s, 1, " ")
			fmt.Print(s, 2, " ")
		}()
	}
	wg.Wait()
	fmt.Println()
}
