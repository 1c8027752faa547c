// A mutex is not reentrant: the second Lock waits for ever.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

func (a *account) transfer(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.add(n)
}

func main() {
	a := &account{}
	a.add(1)
	fmt.Println(a.balance)
	a.transfer(2)
}
