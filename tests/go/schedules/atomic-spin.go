// A goroutine spins on a flag that main sets.
package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var flag, turns atomic.Int32
	done := make(chan bool)
	go func() {
		for flag.Load() == 0 {
			turns.Store(1)
		}
		done <- true
	}()
	flag.Store(1)
	<-done
	fmt.Println("spun:", turns.Load() > 0)
}
