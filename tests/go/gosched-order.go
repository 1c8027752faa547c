// Gosched puts the goroutine at the end of the global queue: they take turns.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 3; i++ {
				fmt.Println(name, i)
				runtime.Gosched()
			}
		}()
	}
	fmt.Println("main waits")
	wg.Wait()
}
