// How often a poll finds nothing is left to chance: only whether it did is printed.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	polls := 0
	for {
		select {
		case <-c:
			fmt.Println("polled before:", polls > 0, "often:", polls > 3)
			return
		default:
			polls++
			runtime.Gosched()
		}
	}
}
