// A fatal error while a recovered panic is still on the stack: Go shows both.
package main

import (
	"fmt"
	"sync"
)

func main() {
	defer func() {
		fmt.Println(recover())
		var mu sync.Mutex
		mu.Unlock()
	}()
	panic("first")
}
