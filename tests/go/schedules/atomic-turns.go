// Who adds first sees what.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Int32
	var wg sync.WaitGroup
	var saw [3]int32
	for i := range saw {
		wg.Add(1)
		go func() {
			saw[i] = n.Add(1)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(saw)
}
