// Unlocking a mutex that is not locked is a fatal error, which recover cannot stop.
package main

import (
	"fmt"
	"sync"
)

func main() {
	defer func() { fmt.Println("recovered", recover()) }()
	var mu sync.Mutex
	mu.Lock()
	mu.Unlock()
	fmt.Println("unlocked once")
	mu.Unlock()
}
