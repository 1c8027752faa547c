// Readers share an RWMutex; a writer waits for them, and new readers wait for the writer.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var rw sync.RWMutex
	var wg sync.WaitGroup
	value := 0
	reader := func(id int) {
		defer wg.Done()
		rw.RLock()
		fmt.Println("reader", id, "enters")
		runtime.Gosched()
		fmt.Println("reader", id, "sees", value)
		rw.RUnlock()
	}
	writer := func(id int) {
		defer wg.Done()
		rw.Lock()
		defer rw.Unlock()
		fmt.Println("writer", id, "enters")
		runtime.Gosched()
		value += id
		fmt.Println("writer", id, "leaves")
	}
	wg.Add(6)
	go reader(1)
	go reader(2)
	go writer(10)
	go reader(3)
	go writer(20)
	go reader(4)
	wg.Wait()
	fmt.Println(value, rw.TryRLock(), rw.TryLock(), rw.TryRLock())
	rw.RUnlock()
	rw.RLocker().Unlock()
	fmt.Println(rw.TryLock())
}
