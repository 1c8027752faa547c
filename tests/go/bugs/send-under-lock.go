// A G sends with the lock that the receiver wants first.
// finds: deadlock: main (send-under-lock.go:17) waits for mutex mu, held by main.func1; main.func1 (send-under-lock.go:14) waits to send on news
// clean with: news := make(chan int) -> news := make(chan int, 1)

package main

import "sync"

func main() {
	var mu sync.Mutex
	news := make(chan int)
	go func() {
		mu.Lock()
		news <- 1
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	<-news
}
