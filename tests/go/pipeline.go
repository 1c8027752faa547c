// A pipeline: each stage is a goroutine that reads one channel and writes another.
package main

import "fmt"

func generate(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 1; i <= n; i++ {
			out <- i
		}
	}()
	return out
}

func stage(in <-chan int, f func(int) int) <-chan int {
	out := make(chan int, 2)
	go func() {
		defer close(out)
		for v := range in {
			fmt.Println("stage handles", v)
			out <- f(v)
		}
	}()
	return out
}

func main() {
	square := func(n int) int { return n * n }
	half := func(n int) int { return n / 2 }
	for v := range stage(stage(generate(6), square), half) {
		fmt.Println("result", v)
	}
}
