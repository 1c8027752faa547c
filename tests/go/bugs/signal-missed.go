// A signal comes before anybody waits for it, and no flag keeps it.
// finds: deadlock: main (signal-missed.go:21) waits for a signal on c
// clean with: if true { -> if !ready {

package main

import "sync"

func main() {
	var mu sync.Mutex
	ready := false
	c := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		ready = true
		c.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	if true {
		c.Wait()
	}
	_ = ready
	mu.Unlock()
}
