// Functions and types with type parameters.
package main

import (
	"errors"
	"fmt"
)

type number interface{ ~int | ~int64 | ~float64 }

func sum[T number](list ...T) (total T) {
	for _, v := range list {
		total += v
	}
	return
}

func apply[A, B any](list []A, f func(A) B) []B {
	var out []B
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}

type stack[T any] struct{ items []T }

func (s *stack[T]) push(v T) { s.items = append(s.items, v) }

func (s *stack[T]) pop() (T, error) {
	var zero T
	if len(s.items) == 0 {
		return zero, errors.New("the stack is empty")
	}
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, nil
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func find[K comparable, V any](list []pair[K, V], key K) (V, bool) {
	for _, p := range list {
		if p.key == key {
			return p.value, true
		}
	}
	var zero V
	return zero, false
}

type celsius float64
type list[T any] struct {
	head T
	tail *list[T]
}

func (l *list[T]) each(f func(T)) {
	for ; l != nil; l = l.tail {
		f(l.head)
	}
}

func larger[T int | string](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func main() {
	fmt.Println(sum(1, 2, 3), sum(1.5, 2.5), sum[celsius](20, 1.5), sum[int]())
	fmt.Println(apply([]int{1, 2, 3}, func(n int) string { return fmt.Sprint(n * n) }))
	s := &stack[string]{}
	s.push("a")
	s.push("b")
	fmt.Println(s.pop())
	fmt.Println(s.pop())
	fmt.Println(s.pop())
	pairs := []pair[string, int]{{"one", 1}, {"two", 2}}
	fmt.Println(find(pairs, "two"))
	fmt.Println(find(pairs, "three"))
	l := &list[int]{1, &list[int]{2, nil}}
	l.each(func(n int) { fmt.Print(n, " ") })
	fmt.Println()
	fmt.Println(larger("go", "c"), larger(3, 4))
	fmt.Printf("%T %T %v\n", pairs[0], s, pairs[0])
}
