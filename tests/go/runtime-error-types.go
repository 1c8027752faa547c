package main

import (
	"errors"
	"fmt"
	"runtime"
)

type shape interface{ Area() int }

type key struct{ parts []int }

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, isRuntime := r.(runtime.Error)
		err, isError := r.(error)
		var failed *runtime.TypeAssertionError
		fmt.Printf("%s: %T %v %v %v %v\n", name, r, r, isRuntime, isError, errors.As(err, &failed))
	}()
	f()
}

func main() {
	var none *key
	var empty any
	var text any = "t"
	var m map[string]int
	var c chan int
	var call func()
	zero, minus, list := 0, -1, []int{1, 2, 3}
	closed := make(chan int)
	close(closed)
	try("index", func() { _ = list[zero+3] })
	try("negative index", func() { _ = list[minus] })
	try("string index", func() { _ = "abc"[zero+5] })
	try("slice", func() { _ = list[2:zero] })
	try("slice beyond", func() { _ = list[:zero+9] })
	try("three bounds", func() { _ = list[zero : 2 : zero+7] })
	try("substring", func() { _ = "abc"[zero+4:] })
	try("array", func() { _ = [4]int(list) })
	try("divide", func() { _ = 1 / zero })
	try("shift", func() { _ = 1 << minus })
	try("nil pointer", func() { _ = none.parts })
	try("nil function", func() { call() })
	try("nil map", func() { m["a"] = 1 })
	try("make", func() { _ = make([]int, minus) })
	try("make channel", func() { _ = make(chan int, minus) })
	try("close nil", func() { close(c) })
	try("close closed", func() { close(closed) })
	try("send", func() { closed <- 1 })
	try("compare", func() { a, b := any(key{}), any(key{}); fmt.Println(a == b) })
	try("hash", func() { _ = map[any]int{key{}: 1} })
	try("assertion", func() { _ = text.(int) })
	try("assertion of nil", func() { _ = empty.(int) })
	try("assertion to an interface", func() { _ = text.(shape) })
	try("nil panic", func() { panic(nil) })
	try("iterator", func() {
		var kept func(int) bool
		for range func(yield func(int) bool) { kept = yield; yield(1) } {
		}
		kept(2)
	})
	_ = empty.(shape)
}
