// The first answer wins, and the other G waits for a receiver that is gone.
// finds: leak: ask (early-answer.go:10) waits to send on answers
// clean with: make(chan int) -> make(chan int, 2)

package main

import "fmt"

func ask(n int, answers chan int) {
	answers <- n * n
}

func main() {
	answers := make(chan int)
	go ask(3, answers)
	go ask(4, answers)
	if <-answers > 0 {
		fmt.Println("an answer")
	}
}
