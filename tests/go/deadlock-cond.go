// The signal comes before the wait, so it is lost.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	c.Signal()
	fmt.Println("signalled")
	mu.Lock()
	c.Wait()
	mu.Unlock()
}
