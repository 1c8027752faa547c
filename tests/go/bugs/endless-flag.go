// A goroutine spins on a flag that nobody sets, and main waits for it: no deadlock for Go, but neither can ever continue.
// finds: endless loop: main.func1 (endless-flag.go:15)
// clean with: <-done -> flag.Store(true); <-done
package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var flag atomic.Bool
	done := make(chan bool)
	go func() {
		for !flag.Load() {
		}
		done <- true
	}()
	<-done
	fmt.Println("done")
}
