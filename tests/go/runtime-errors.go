// Every kind of runtime error, with Go's text.
package main

import "fmt"

type shape interface{ area() int }
type square struct{ side int }

func (s square) area() int { return s.side * s.side }

type node struct{ next *node }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	var (
		none  []int
		five  = make([]int, 5, 10)
		array [4]int
		m     map[string]int
		p     *node
		any1  any = "text"
		any0  any
		s     shape
		zero  int
		text  = "hello"
		minus = -1
	)
	n := 7
	try(func() { _ = none[0] })
	try(func() { _ = five[n] })
	try(func() { _ = five[minus] })
	try(func() { _ = array[n] })
	try(func() { _ = text[n] })
	try(func() { _ = five[n:] })
	try(func() { _ = five[:n+7] })
	try(func() { _ = five[3:zero] })
	try(func() { _ = five[minus:] })
	try(func() { _ = text[n:] })
	try(func() { _ = text[:n] })
	try(func() { _ = text[3:zero] })
	try(func() { _ = array[n:] })
	try(func() { _ = five[1 : 2 : n+7] })
	try(func() { _ = five[1:n:3] })
	try(func() { _ = five[n:3:4] })
	try(func() { _ = [4]int(none) })
	try(func() { m["a"] = 1 })
	try(func() { _ = p.next.next })
	try(func() { _ = any1.(int) })
	try(func() { _ = any0.(int) })
	try(func() { _ = any1.(shape) })
	try(func() { _ = any0.(shape) })
	try(func() { any1 = square{2}; _ = any1.(fmt.Stringer) })
	try(func() { _ = s.area() })
	try(func() { s = square{3}; _ = s.(interface{ name() string }) })
	try(func() { _ = n / zero })
	try(func() { _ = n % zero })
	try(func() { _ = 1 << minus })
	try(func() { _ = make([]int, minus) })
	try(func() { _ = make([]int, 2, zero) })
	try(func() { _ = make(chan int, minus) })
	try(func() { var f func(); f() })
	try(func() { a, b := any([]int{1}), any([]int{1}); fmt.Println(a == b) })
	try(func() { k := map[any]int{}; k[[]int{1}] = 2 })
	try(func() { k := map[any]int{}; k[func() {}] = 2 })
	try(func() { var c chan int; close(c) })
	try(func() { c := make(chan int); close(c); close(c) })
	try(func() { c := make(chan int); close(c); c <- 1 })
}
