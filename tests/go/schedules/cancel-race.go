// A context is cancelled while a worker sends.
package main

import (
	"context"
	"fmt"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 0; i < 3; i++ {
			select {
			case c <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	n := 0
	for v := range c {
		n++
		if v == 1 {
			cancel()
		}
	}
	fmt.Println(n, ctx.Err())
}
