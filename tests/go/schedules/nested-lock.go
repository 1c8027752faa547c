// Two locks in opposite order: a deadlock, or not.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		a.Lock()
		b.Lock()
		fmt.Print("1 ")
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		defer wg.Done()
		b.Lock()
		a.Lock()
		fmt.Print("2 ")
		a.Unlock()
		b.Unlock()
	}()
	wg.Wait()
	fmt.Println()
}
