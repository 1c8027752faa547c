// Fan-in: several producers, one channel.
package main

import (
	"fmt"
	"sync"
)

func produce(name string, n int) <-chan string {
	c := make(chan string)
	go func() {
		for i := 0; i < n; i++ {
			c <- fmt.Sprintf("%s%d", name, i)
		}
		close(c)
	}()
	return c
}

func merge(cs ...<-chan string) <-chan string {
	out := make(chan string)
	var wg sync.WaitGroup
	wg.Add(len(cs))
	for _, c := range cs {
		go func(c <-chan string) {
			for s := range c {
				out <- s
			}
			wg.Done()
		}(c)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func main() {
	for s := range merge(produce("a", 3), produce("b", 2), produce("c", 4)) {
		fmt.Println(s)
	}
}
