// A channel was declared and never made.
// finds: leak: main.func1 (nil-channel.go:13) waits to receive from a nil channel, for ever
// clean with: var quit chan bool -> quit := make(chan bool, 1); quit <- true

package main

import "fmt"

func main() {
	var quit chan bool
	ready := make(chan bool, 1)
	go func() {
		<-quit
	}()
	ready <- true
	fmt.Println(<-ready)
}
