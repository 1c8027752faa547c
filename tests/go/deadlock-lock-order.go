// Two goroutines take two mutexes in opposite orders.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func both(name string, first, second *sync.Mutex, done chan<- bool) {
	first.Lock()
	defer first.Unlock()
	fmt.Println(name, "has its first lock")
	runtime.Gosched()
	second.Lock()
	defer second.Unlock()
	done <- true
}

func main() {
	var a, b sync.Mutex
	done := make(chan bool)
	go both("left", &a, &b, done)
	go both("right", &b, &a, done)
	<-done
	<-done
}
