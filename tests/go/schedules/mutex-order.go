// Who gets the mutex next.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	order := ""
	for _, s := range []string{"x", "y", "z"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 2; i++ {
				mu.Lock()
				order += s
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(order)
}
