// clean
// Two goroutines wait for each other in loops, and each is set free.
package main

import (
	"runtime"
	"sync/atomic"
)

func main() {
	var a, b atomic.Int32
	go func() {
		for a.Load() == 0 {
		}
		b.Store(1)
	}()
	for i := 0; i < 3; i++ {
		runtime.Gosched()
	}
	a.Store(1)
	for b.Load() == 0 {
		runtime.Gosched()
	}
}
