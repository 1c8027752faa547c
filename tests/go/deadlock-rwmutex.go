// A reader that reads again while a writer waits.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var rw sync.RWMutex
	rw.RLock()
	go func() {
		rw.Lock()
		fmt.Println("never")
		rw.Unlock()
	}()
	runtime.Gosched()
	fmt.Println("reads again")
	rw.RLock()
	rw.RUnlock()
	rw.RUnlock()
}
