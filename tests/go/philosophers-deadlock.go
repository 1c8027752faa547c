// Every philosopher takes the left fork, then waits for the right one.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func dine(name string, left, right *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	left.Lock()
	fmt.Println(name, "has the left fork")
	runtime.Gosched()
	right.Lock()
	fmt.Println(name, "eats")
	right.Unlock()
	left.Unlock()
}

func main() {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	wg.Add(3)
	for i, name := range []string{"A", "B", "C"} {
		go dine(name, &forks[i], &forks[(i+1)%3], &wg)
	}
	wg.Wait()
}
