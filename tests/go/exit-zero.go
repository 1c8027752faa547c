// os.Exit(0) ends the program while goroutines still run.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	go func() {
		time.Sleep(10 * time.Millisecond)
		fmt.Println("exit")
		os.Exit(0)
	}()
	select {}
}
