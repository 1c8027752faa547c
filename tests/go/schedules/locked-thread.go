// A locked goroutine hands over its thread for each message.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c, done := make(chan int), make(chan bool)
	go func() {
		runtime.LockOSThread()
		for v := range c {
			fmt.Print("got", v, " ")
		}
		done <- true
	}()
	for i := 0; i < 2; i++ {
		c <- i
		fmt.Print("sent", i, " ")
	}
	close(c)
	<-done
	fmt.Println()
}
