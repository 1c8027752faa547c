// Two tickers of the same period: which one first?
package main

import (
	"fmt"
	"time"
)

func main() {
	a, b := time.NewTicker(time.Millisecond), time.NewTicker(time.Millisecond)
	for i := 0; i < 3; i++ {
		select {
		case <-a.C:
			fmt.Print("a ")
		case <-b.C:
			fmt.Print("b ")
		}
	}
	fmt.Println()
}
