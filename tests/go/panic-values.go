// The text of an uncaught panic depends on the type of its value.
package main

import (
	"fmt"
	"os"
	"strings"
)

type color int

func (c color) String() string { return "never called" }

type myErr struct{ code int }

func (e myErr) Error() string { return fmt.Sprint("code ", e.code) }

func caught(v any) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	panic(v)
}

func main() {
	caught(color(3))
	caught(myErr{4})
	caught(fmt.Errorf("wrapped: %w", myErr{5}))
	caught([]int{1})
	caught(&myErr{6} == nil)
	fmt.Println(strings.Repeat("=", 5), len(os.Args))
	panic(myErr{7})
}
