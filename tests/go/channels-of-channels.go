// A request carries the channel for its answer.
package main

import "fmt"

type request struct {
	n     int
	reply chan<- int
}

func server(requests chan request, quit chan chan string) {
	count := 0
	for {
		select {
		case r := <-requests:
			count++
			r.reply <- r.n * r.n
		case done := <-quit:
			done <- fmt.Sprint("served ", count)
			return
		}
	}
}

func main() {
	requests, quit := make(chan request), make(chan chan string)
	go server(requests, quit)
	for i := 1; i <= 3; i++ {
		reply := make(chan int)
		requests <- request{i, reply}
		fmt.Println(<-reply)
	}
	done := make(chan string)
	quit <- done
	fmt.Println(<-done)
	nested := make(chan chan chan int, 1)
	inner := make(chan chan int, 1)
	last := make(chan int, 1)
	nested <- inner
	inner <- last
	last <- 9
	fmt.Println(<-<-<-nested)
	fmt.Printf("%T %v %v\n", nested, len(nested), cap(last))
	var in chan<- int = last
	var out <-chan int = last
	in <- 4
	fmt.Println(<-out, in == last, out == last)
}
