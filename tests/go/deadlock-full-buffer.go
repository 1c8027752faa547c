// The third send finds the buffer full.
package main

import "fmt"

func fill(c chan int, n int) {
	for i := range n {
		c <- i
		fmt.Println("sent", i)
	}
}

func main() {
	c := make(chan int, 2)
	fill(c, 3)
}
