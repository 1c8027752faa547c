// Without a lock, an update is lost when the goroutine yields between reading and writing.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	counter := 0
	for i := 0; i < 5; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v := counter
			runtime.Gosched()
			counter = v + 1
		}()
	}
	wg.Wait()
	fmt.Println("counter is", counter)
}
