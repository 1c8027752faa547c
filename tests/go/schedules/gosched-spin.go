// Two goroutines give way to each other.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	for _, s := range []string{"l", "r"} {
		go func() {
			defer wg.Done()
			for i := 0; i < 2; i++ {
				fmt.Print(s)
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	fmt.Println()
}
