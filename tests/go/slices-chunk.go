package main

import (
	"fmt"
	"slices"
)

type list []string

func main() {
	for n := 1; n < 6; n++ {
		for c := range slices.Chunk([]int{1, 2, 3, 4}, n) {
			fmt.Print(c, len(c), cap(c), " ")
		}
		fmt.Println()
	}
	for c := range slices.Chunk(list{"a", "b", "c"}, 2) {
		fmt.Printf("%T %v\n", c, c)
		break
	}
	for c := range slices.Chunk(list(nil), 2) {
		fmt.Println("never", c)
	}
	defer func() { fmt.Println(recover()) }()
	slices.Chunk(list{"a"}, 0)
}
