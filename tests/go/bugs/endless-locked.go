// main looks under the lock, again and again; the last writer is not always the one that sets the flag.
// finds: endless loop: main (endless-locked.go:
// clean with: ready = i == 1 -> ready = ready || i == 1
package main

import (
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	ready := false
	for i := 0; i < 2; i++ {
		go func() {
			mu.Lock()
			ready = i == 1
			mu.Unlock()
		}()
	}
	for {
		mu.Lock()
		ok := ready
		mu.Unlock()
		if ok {
			break
		}
		runtime.Gosched()
	}
}
