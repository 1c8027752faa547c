// Two rate limiters: a ticker, and a bucket that allows bursts.
package main

import (
	"fmt"
	"time"
)

func main() {
	requests := make(chan int, 5)
	for i := 1; i <= 5; i++ {
		requests <- i
	}
	close(requests)
	limiter := time.NewTicker(15 * time.Millisecond)
	defer limiter.Stop()
	start := time.Now()
	for r := range requests {
		<-limiter.C
		fmt.Println("request", r)
	}
	fmt.Println(time.Since(start) >= 70*time.Millisecond)
	burst := make(chan struct{}, 3)
	for i := 0; i < 3; i++ {
		burst <- struct{}{}
	}
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			burst <- struct{}{}
		}
	}()
	start = time.Now()
	for i := 1; i <= 5; i++ {
		<-burst
		fmt.Println("burst request", i, time.Since(start) >= 18*time.Millisecond)
	}
}
