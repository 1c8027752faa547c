// A panic in any goroutine ends the whole program; main cannot recover it.
package main

import "fmt"

func worker(done chan bool) {
	var m map[string]int
	m["x"] = 1
	done <- true
}

func main() {
	defer func() { fmt.Println("recovered", recover()) }()
	done := make(chan bool)
	go worker(done)
	<-done
}
