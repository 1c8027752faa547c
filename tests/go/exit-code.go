// os.Exit ends the program at once, with its code, without deferred calls.
package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("not printed")
	done := make(chan bool)
	go func() {
		fmt.Println("goodbye")
		os.Exit(7)
	}()
	<-done
}
