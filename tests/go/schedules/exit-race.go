// os.Exit ends the others wherever they are.
package main

import (
	"fmt"
	"os"
)

func main() {
	done := make(chan bool)
	go func() {
		fmt.Println("one")
		fmt.Println("two")
		done <- true
	}()
	go func() { os.Exit(7) }()
	<-done
	fmt.Println("main")
}
