// When main returns, the program ends, whatever other goroutines do.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	c := make(chan int)
	go func() {
		defer fmt.Println("never printed")
		<-c
	}()
	go func() {
		for {
			runtime.Gosched()
		}
	}()
	go func() {
		time.Sleep(time.Hour)
		fmt.Println("never printed either")
	}()
	runtime.Gosched()
	fmt.Println("main returns with", runtime.NumGoroutine(), "goroutines")
}
