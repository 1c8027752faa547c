// runtime.Goexit runs the deferred calls and ends only its goroutine.
package main

import (
	"fmt"
	"runtime"
)

func leave() {
	defer fmt.Println("deferred in leave")
	runtime.Goexit()
	fmt.Println("not reached")
}

func main() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println("recover finds", recover()) }()
		leave()
		fmt.Println("not reached either")
	}()
	<-done
	fmt.Println("main continues")
}
