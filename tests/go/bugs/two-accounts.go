// Two transfers lock the two accounts in opposite orders.
// finds: deadlock: transfer (two-accounts.go:20) waits for mutex account.mu, held by transfer; transfer (two-accounts.go:20) waits for mutex account.mu, held by transfer
// clean with: go transfer(&b, &a) -> go transfer(&a, &b)

package main

import "sync"

type account struct {
	mu    sync.Mutex
	money int
}

var done sync.WaitGroup

func transfer(from, to *account) {
	defer done.Done()
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.money--
	to.money++
}

func main() {
	var a, b account
	done.Add(2)
	go transfer(&a, &b)
	go transfer(&b, &a)
	done.Wait()
}
