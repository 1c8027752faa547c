// A select with two senders takes either, in any order.
package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int)
	go func() { a <- 1; a <- 2 }()
	go func() { b <- 3; b <- 4 }()
	for i := 0; i < 4; i++ {
		select {
		case v := <-a:
			fmt.Print("a", v, " ")
		case v := <-b:
			fmt.Print("b", v, " ")
		}
	}
	fmt.Println()
}
