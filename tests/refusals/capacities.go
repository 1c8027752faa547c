package main

import "fmt"

type bag struct{ items []string }
type large struct{ a [5]int }

func show(s []int) { fmt.Println(len(s), cap(s)) } // want 42: note: in Go, cap may be another number: where append begins a slice, the compiler chooses between the stack and the heap

func main() {
	var s []int
	for i := range 3 {
		s = append(s, i)
	}
	show(s)
	made := make([]int, 0, 5)
	made = append(made, 1)
	array := [5]int{}
	literal := []int{1, 2, 3}
	literal = append(literal, 4)
	fmt.Println(cap(made), cap(make(chan int, 3)), cap(array[1:3]), cap(array), cap(literal), cap(append(literal, 5)))
	b := &bag{}
	b.items = append(b.items, "x")
	fmt.Println(cap(b.items)) // want 14: note: in Go, cap may be another number: where append begins a slice, the compiler chooses between the stack and the heap
	var l []large
	l = append(l, large{})
	fmt.Println(cap(l))
	x := append(s, 1)
	y := append(s, 2) // want 7: note: in Go, this append may or may not share memory with another one to s: that depends on its capacity, which the compiler chooses
	x, y = append(made, 1), append(made, 2)
	fmt.Println(x, y)
}
