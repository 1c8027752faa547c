// A send on a channel that somebody closes.
package main

import "fmt"

func main() {
	c := make(chan int, 4)
	done := make(chan bool)
	go func() {
		defer func() { fmt.Println(recover()); done <- true }()
		for i := 0; i < 3; i++ {
			c <- i
		}
	}()
	close(c)
	<-done
	fmt.Println(len(c))
}
