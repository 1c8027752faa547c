package main

import "fmt"

func main() {
	c := 1 + 2i // want 2: complex numbers are not supported; use two floats
	fmt.Println(c) // want 14: complex numbers are not supported; use two floats
	var big [1 << 24]int // want 6: a value of more than 1048576 elements is not supported; make a slice
	fmt.Println(len(big)) // want 18: a value of more than 1048576 elements is not supported; make a slice
}

func declared() int // want 1: missing function body

//go:linkname nanotime runtime.nanotime // want 1: //go:linkname is not supported; write the function or the value in Go
func nanotime() int64 { return 0 }
