// A panic that is replaced by Goexit in a goroutine.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println("recovered", recover()) }()
		defer runtime.Goexit()
		panic("dropped")
	}()
	<-done
	fmt.Println("end")
}
