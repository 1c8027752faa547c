// clean
// A goroutine counts for ever: main returns all the same, since Go preempts it.
package main

import (
	"fmt"
	"time"
)

func main() {
	go func() {
		n := 0
		for {
			n++
		}
	}()
	time.Sleep(30 * time.Millisecond)
	fmt.Println("main returns")
}
