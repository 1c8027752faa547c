// A panic in a deferred call while another panic runs: Go prints both.
package main

import (
	"errors"
	"fmt"
)

func cleanup() {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("cleanup recovers", r)
			panic(fmt.Sprint("again: ", r))
		}
	}()
	panic("in cleanup")
}

func main() {
	defer fmt.Println("first deferred, runs last")
	defer cleanup()
	panic(errors.New("in main"))
}
