// Two stages and a merge.
package main

import (
	"fmt"
	"sync"
)

func gen(from, to int) <-chan int {
	c := make(chan int)
	go func() {
		for i := from; i < to; i++ {
			c <- i
		}
		close(c)
	}()
	return c
}

func main() {
	out := make(chan int)
	var wg sync.WaitGroup
	for _, c := range []<-chan int{gen(0, 2), gen(10, 12)} {
		wg.Add(1)
		go func() {
			for v := range c {
				out <- v
			}
			wg.Done()
		}()
	}
	go func() { wg.Wait(); close(out) }()
	for v := range out {
		fmt.Print(v, " ")
	}
	fmt.Println()
}
