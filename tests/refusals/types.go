package main

import (
	"fmt"
	"os" // want 2: "os" imported and not used
)

func missing() int {
	for {
		break
	}
} // want 1: missing return

func main() {
	var a []int = "x" // want 16: cannot use "x" (untyped string constant) as []int value in variable declaration
	fmt.Println(a, undefined) // want 17: undefined: undefined
	unused := 1 // want 2: declared and not used: unused
	for i := range 3 {
		i := i // want 3: declared and not used: i
	}
	var n int = 1.5 // want 14: cannot use 1.5 (untyped float constant) as int value in variable declaration (truncated)
	fmt.Println(n.x) // want 16: n.x undefined (type int has no field or method x)
	return 1 // want 9: too many return values
}
