// When main calls Goexit and all other goroutines have ended, Go reports a deadlock without goroutines.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	go fmt.Println("the other goroutine")
	defer fmt.Println("deferred in main")
	runtime.Goexit()
}
