package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("iterator ends")
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}
func pairs(yield func(string, int) bool) {
	_ = yield("a", 1) && yield("b", 2) && yield("c", 3)
}
func find(n int) (r int, ok bool) {
	for i := range count(10) {
		for s, v := range pairs {
			if i*v == n {
				fmt.Println("found", s)
				return i, true
			}
		}
	}
	return -1, false
}
func named() (s string) {
	defer func() { s += "!" }()
	for x := range count(5) {
		s += fmt.Sprint(x)
		if x == 2 {
			return
		}
	}
	return "end"
}
func bad(yield func(int) bool) {
	yield(1)
	yield(2)
}

type Tree[T any] struct {
	l, r *Tree[T]
	v    T
}

func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.push(yield) }
}
func (t *Tree[T]) push(yield func(T) bool) bool {
	if t == nil {
		return true
	}
	return t.l.push(yield) && yield(t.v) && t.r.push(yield)
}

func main() {
	for i := range count(3) {
		if i == 1 {
			continue
		}
		fmt.Println(i)
	}
	fmt.Println(find(6))
	fmt.Println(find(100))
	fmt.Println(named())
outer:
	for i := range count(4) {
		for s := range pairs {
			if s == "b" {
				continue outer
			}
			if i == 2 {
				break outer
			}
			fmt.Println(i, s)
		}
	}
	var x int
	for x = range count(3) {
	}
	fmt.Println(x)
	n := 0
	for range count(2) {
		n++
	}
	fmt.Println(n)
	var fs []func() int
	for i := range count(3) {
		fs = append(fs, func() int { i *= 2; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()
	func() {
		defer func() { fmt.Println(recover()) }()
		for i := range bad {
			fmt.Println(i)
			break
		}
	}()
	t := &Tree[int]{v: 2, l: &Tree[int]{v: 1}, r: &Tree[int]{v: 3}}
	for v := range t.All() {
		fmt.Print(v, " ")
	}
	fmt.Println()
	m := map[string]int{"x": 1, "y": 2}
	keys := slices.Sorted(maps.Keys(m))
	fmt.Println(keys, slices.Collect(count(3)))
	for i, v := range slices.All([]string{"a", "b"}) {
		fmt.Println(i, v)
	}
	for i := range count(3) {
		switch i {
		case 1:
			break
		default:
			fmt.Println("sw", i)
		}
		select {
		default:
		}
		for {
			break
		}
		if i == 1 {
			goto done
		}
	}
done:
	fmt.Println("done")
}
