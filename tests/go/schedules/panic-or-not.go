// One panics, another prints first or never.
package main

import "fmt"

func main() {
	done := make(chan bool)
	go func() {
		fmt.Println("other")
		done <- true
	}()
	go func() { panic("boom") }()
	<-done
	fmt.Println("main")
}
