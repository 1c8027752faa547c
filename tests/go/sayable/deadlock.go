package main

import "fmt"

func main() {
	c := make(chan int)
	requests := make(chan chan int)
	go func() {
		reply := <-requests
		reply <- 42
	}()
	requests <- c
	fmt.Println("got", <-c)
	for i := 10; i > 0; i -= 4 {
		switch i % 3 {
		case 0, 1:
			fmt.Println("left", i)
		default:
			fmt.Println("other", i)
		}
	}
	<-c
}
