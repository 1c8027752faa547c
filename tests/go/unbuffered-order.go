// An unbuffered channel is a meeting: who continues first.
package main

import "fmt"

func main() {
	c := make(chan int)
	done := make(chan bool)
	go func() {
		for v := range c {
			fmt.Println("received", v)
		}
		done <- true
	}()
	for i := 0; i < 5; i++ {
		fmt.Println("sending", i)
		c <- i
		fmt.Println("sent", i)
	}
	close(c)
	<-done
}
