// The sieve of goroutines: each prime has a goroutine that lets only non-multiples pass.
package main

import "fmt"

func numbers(out chan<- int) {
	for i := 2; ; i++ {
		out <- i
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for {
		if i := <-in; i%prime != 0 {
			out <- i
		}
	}
}

func main() {
	c := make(chan int)
	go numbers(c)
	for i := 0; i < 20; i++ {
		prime := <-c
		fmt.Print(prime, " ")
		next := make(chan int)
		go filter(c, next, prime)
		c = next
	}
	fmt.Println()
}
