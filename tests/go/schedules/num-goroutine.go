// How many are left depends on when one asks.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan int, 2)
	for i := 0; i < 2; i++ {
		go func() { c <- i }()
	}
	a := <-c
	n := runtime.NumGoroutine()
	b := <-c
	fmt.Println(a, b, n, runtime.NumGoroutine())
}
