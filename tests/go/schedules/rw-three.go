// A writer between two reads of the same reader.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var rw sync.RWMutex
	done := make(chan bool)
	v := 0
	go func() {
		rw.Lock()
		v++
		rw.Unlock()
		rw.Lock()
		v++
		rw.Unlock()
		done <- true
	}()
	rw.RLock()
	a := v
	rw.RUnlock()
	rw.RLock()
	b := v
	rw.RUnlock()
	<-done
	fmt.Println(a, b)
}
