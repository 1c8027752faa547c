// A buffered channel lets the sender run ahead until the buffer is full.
package main

import "fmt"

func main() {
	c := make(chan int, 3)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for v := range c {
			fmt.Println("received", v, "left", len(c))
		}
	}()
	for i := 0; i < 8; i++ {
		c <- i
		fmt.Println("sent", i, "buffered", len(c), "of", cap(c))
	}
	close(c)
	<-done
	v, ok := <-c
	fmt.Println(v, ok)
}
