// Package runtime.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	fmt.Println(runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(1), runtime.GOMAXPROCS(-3), runtime.GOMAXPROCS(0), runtime.NumCPU() >= 1)
	fmt.Println(runtime.NumGoroutine())
	stop := make(chan bool)
	for range 5 {
		go func() { <-stop }()
	}
	fmt.Println(runtime.NumGoroutine())
	close(stop)
	time.Sleep(time.Millisecond)
	fmt.Println(runtime.NumGoroutine())
	go fmt.Println("other")
	runtime.Gosched()
	fmt.Println("main")
	runtime.LockOSThread()
	runtime.LockOSThread()
	go fmt.Println("not on this thread")
	time.Sleep(time.Millisecond)
	runtime.UnlockOSThread()
	runtime.UnlockOSThread()
	runtime.UnlockOSThread()
	done := make(chan int)
	go func() {
		defer close(done)
		defer func() { fmt.Println("deferred", recover()) }()
		func() {
			defer fmt.Println("inner")
			runtime.Goexit()
		}()
		fmt.Println("never")
	}()
	_, ok := <-done
	fmt.Println(ok)
	time.AfterFunc(time.Millisecond, func() { fmt.Println(runtime.NumGoroutine()) })
	time.Sleep(2 * time.Millisecond)
	runtime.GC()
	fmt.Println(runtime.NumGoroutine(), runtime.GOOS)
}
