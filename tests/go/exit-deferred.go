// os.Exit in a deferred call, after a panic.
package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("not printed")
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("failed:", r)
			os.Exit(2)
		}
	}()
	var p *struct{ n int }
	p.n = 1
}
