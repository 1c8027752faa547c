package main

import (
	"fmt"
	"slices"
)

type number interface{ ~int | ~float64 }

func sum[T number](xs ...T) (t T) {
	for _, x := range xs {
		t += x
	}
	return t
}

func main() {
	fmt.Println(sum("a", "b")) // want 14: string does not satisfy number (string missing in ~int | ~float64)
	slices.Sort([]func(){}) // want 2: func() does not satisfy cmp.Ordered (func() missing in ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string)
	var s fmt.Stringer = 1 // want 23: cannot use 1 (constant of type int) as fmt.Stringer value in variable declaration: int does not implement fmt.Stringer (missing method String)
	fmt.Println(s)
}
