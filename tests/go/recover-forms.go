// recover() stops a panic only in the deferred function itself.
package main

import (
	"errors"
	"fmt"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		err, isError := r.(error)
		fmt.Println(name, "-", r, isError)
		if isError {
			var rt interface{ RuntimeError() }
			fmt.Println("  of the runtime:", errors.As(err, &rt))
		}
	}()
	f()
	fmt.Println(name, "returned")
}

func helper() any { return recover() }

func nested() {
	defer func() {
		func() {
			if r := recover(); r != nil {
				fmt.Println("never here")
			}
		}()
	}()
	panic("too deep")
}

func main() {
	try("none", func() {})
	try("string", func() { panic("boom") })
	try("number", func() { panic(42) })
	try("error", func() { panic(errors.New("my error")) })
	try("struct", func() { panic(struct{ a, b int }{1, 2}) })
	try("nested", nested)
	try("direct", func() { defer helper(); panic("direct") })
	try("replaced", func() {
		defer func() { panic("second") }()
		panic("first")
	})
	try("recovered inside", func() {
		defer func() { fmt.Println("inner:", recover()) }()
		panic("inner panic")
	})
	try("nil", func() { panic(nil) })
	fmt.Println("outside:", recover())
}
