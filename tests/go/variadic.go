// Variadic functions and several results.
package main

import (
	"errors"
	"fmt"
)

func join(sep string, words ...string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += sep
		}
		out += w
	}
	return fmt.Sprint(len(words), ":", out, words == nil)
}

func change(list ...int) { list[0] = 99 }

func divide(a, b int) (q, r int, err error) {
	if b == 0 {
		err = errors.New("division by zero")
		return
	}
	return a / b, a % b, nil
}

func sum(a, b int) int         { return a + b }
func two() (int, int)          { return 3, 4 }
func mixed(x any, y ...any)    { fmt.Println(x, len(y), y) }
func show(list ...any) (n int) { n, _ = fmt.Println(list...); return }

func swap[T any](a, b T) (T, T) { return b, a }

func main() {
	fmt.Println(join("-"), join("-", "a"), join("-", "a", "b", "c"))
	fmt.Println(join("+", []string{"x", "y"}...), join("+", nil...))
	list := []int{1, 2}
	change(list...)
	change(1, 2)
	fmt.Println(list)
	q, r, err := divide(17, 5)
	fmt.Println(q, r, err)
	_, _, err = divide(1, 0)
	fmt.Println(err)
	fmt.Println(divide(9, 2))
	fmt.Println(sum(two()))
	mixed(two())
	mixed(1)
	mixed(1, nil)
	mixed([]any{1, 2})
	fmt.Println(show(1, "a", nil, 2.5))
	a, b := swap("left", "right")
	a, c := b, a
	fmt.Println(a, b, c)
	i := 0
	i, list[i] = 1, 5
	fmt.Println(i, list)
	list[0], list[1] = list[1], list[0]
	fmt.Println(list)
	x, y := 1, 2
	x, y = y, x+y
	fmt.Println(x, y)
}
