// A select without a ready case and without default waits.
package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int)
	go func() {
		select {
		case b <- 1:
			fmt.Println("not sent")
		case v := <-a:
			fmt.Println("received", v)
		}
		<-a
	}()
	a <- 5
	select {
	case v := <-b:
		fmt.Println("not received", v)
	}
}
