// The channel is never closed, so range waits for ever.
package main

import "fmt"

func produce(c chan<- int) {
	for i := range 3 {
		c <- i
	}
}

func main() {
	c := make(chan int)
	go produce(c)
	for v := range c {
		fmt.Println(v)
	}
}
