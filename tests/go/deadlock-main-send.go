// main sends to an unbuffered channel before anybody can receive.
package main

import "fmt"

func main() {
	c := make(chan int)
	c <- 1
	fmt.Println(<-c)
}
