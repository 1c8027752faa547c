// Package runtime: Gosched, NumGoroutine, GOMAXPROCS.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	fmt.Println(runtime.GOMAXPROCS(0), runtime.NumGoroutine())
	stop := make(chan bool)
	for i := 0; i < 3; i++ {
		go func() {
			fmt.Println("started", i)
			<-stop
			fmt.Println("stopped", i)
		}()
	}
	fmt.Println(runtime.NumGoroutine())
	runtime.Gosched()
	close(stop)
	fmt.Println("closed")
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	runtime.GC()
	done := make(chan bool)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		fmt.Println("locked")
		done <- true
	}()
	<-done
	fmt.Println(runtime.NumGoroutine() <= 2, runtime.GOOS != "", runtime.NumCPU() > 0)
}
