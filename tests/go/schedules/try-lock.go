// TryLock finds the mutex held, or not.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		for i := 0; i < 2; i++ {
			mu.Lock()
			mu.Unlock()
		}
		done <- true
	}()
	ok := mu.TryLock()
	if ok {
		mu.Unlock()
	}
	<-done
	fmt.Println(ok)
}
