// Two Gs wait for each other, but a third goes on, so no schedule ends.
// finds: leak: main.func2 (ticks-over-a-deadlock.go:18) waits to receive from b
// clean with: make(chan int, 1) // b -> make(chan int, 1); b <- 1
// with: --max-events 20000

package main

import "time"

func main() {
	a := make(chan int)
	b := make(chan int, 1) // b
	go func() {
		for range time.Tick(10 * time.Millisecond) {
		}
	}()
	go func() {
		<-b
		a <- 1
	}()
	<-a
}
