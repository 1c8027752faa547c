// Two goroutines count without a lock: updates get lost.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	n := 0
	for g := 0; g < 2; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 3; i++ {
				v := n
				runtime.Gosched()
				n = v + 1
			}
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
