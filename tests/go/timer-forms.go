// Timers: Sleep, After, NewTimer, Stop, Reset, AfterFunc.
package main

import (
	"fmt"
	"time"
)

func main() {
	timer := time.NewTimer(50 * time.Millisecond)
	fmt.Println("stopped:", timer.Stop(), timer.Stop())
	fmt.Println("was active:", timer.Reset(20*time.Millisecond), timer.Reset(10*time.Millisecond))
	<-timer.C
	fmt.Println("timer fired, active:", timer.Stop())
	done := make(chan bool)
	time.AfterFunc(20*time.Millisecond, func() {
		fmt.Println("function of the timer")
		close(done)
	})
	never := time.AfterFunc(time.Hour, func() { fmt.Println("never") })
	select {
	case <-done:
		fmt.Println("done")
	case <-time.After(2 * time.Second):
		fmt.Println("too late")
	}
	fmt.Println(never.Stop())
	select {
	case <-make(chan int):
	case <-time.After(20 * time.Millisecond):
		fmt.Println("timeout")
	}
	c := make(chan string, 3)
	for i, name := range []string{"slow", "fast", "middle"} {
		go func() {
			time.Sleep([]time.Duration{90, 10, 50}[i] * time.Millisecond)
			c <- name
		}()
	}
	fmt.Println(<-c, <-c, <-c)
}
