// Readers and a writer.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var rw sync.RWMutex
	var wg sync.WaitGroup
	v, sum := 0, make([]int, 3)
	wg.Add(4)
	for i := range sum {
		go func() {
			defer wg.Done()
			rw.RLock()
			sum[i] = v
			rw.RUnlock()
		}()
	}
	go func() {
		defer wg.Done()
		rw.Lock()
		v = 1
		rw.Unlock()
	}()
	wg.Wait()
	fmt.Println(sum)
}
