// range over everything: slices, arrays, strings, maps, channels, integers, functions.
package main

import (
	"fmt"
	"iter"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("count ends")
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func pairs(words ...string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, w := range words {
			if !yield(i, w) {
				return
			}
		}
	}
}

func first(n int) int {
	for v := range count(100) {
		if v == n {
			return v * 10
		}
	}
	return -1
}

func main() {
	list := []int{1, 2, 3}
	for i, v := range list {
		list = append(list, v*10)
		list[2] = 7
		fmt.Print(i, ":", v, " ")
	}
	fmt.Println(list)
	array := [3]int{1, 2, 3}
	for i, v := range array {
		array[2] = 9
		fmt.Print(i, ":", v, " ")
	}
	for i, v := range &array {
		array[2] = 11
		fmt.Print(i, ":", v, " ")
	}
	fmt.Println()
	for i, r := range "aé世\xff!" {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println()
	m := map[string]int{"one": 1}
	for k, v := range m {
		fmt.Println(k, v)
	}
	c := make(chan int, 3)
	c <- 1
	c <- 2
	close(c)
	for v := range c {
		fmt.Print(v, " ")
	}
	for i := range 3 {
		fmt.Print(i, " ")
	}
	for range 2 {
		fmt.Print("x ")
	}
	fmt.Println()
	for i, w := range pairs("a", "b", "c") {
		if i == 1 {
			continue
		}
		fmt.Println(i, w)
	}
	for v := range count(5) {
		if v == 2 {
			break
		}
		fmt.Println("v", v)
	}
	fmt.Println(first(3))
	for range count(1) {
		defer fmt.Println("deferred in the body runs when main returns")
	}
	fmt.Println("main ends")
}
