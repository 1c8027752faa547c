// A result that comes about when the timeout does.
package main

import (
	"fmt"
	"time"
)

func main() {
	c := make(chan string, 1)
	go func() {
		time.Sleep(time.Millisecond)
		c <- "result"
	}()
	select {
	case s := <-c:
		fmt.Println(s)
	case <-time.After(time.Millisecond):
		fmt.Println("timeout")
	}
}
