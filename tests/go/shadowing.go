// Inner declarations hide outer ones.
package main

import "fmt"

var x = "package"

type int8 struct{ n int }

func get() (int, error) { return 5, nil }

func f(x int) (r int) {
	if x := x * 2; x > 5 {
		r = x
	} else if y := x + 1; y > 3 {
		r = y
	} else {
		x := 100
		r = x + y
	}
	{
		r := 7
		_ = r
	}
	return r
}

func main() {
	fmt.Println(x)
	x := 1
	{
		x := x + 1
		x++
		fmt.Println(x)
	}
	if x, err := get(); err == nil {
		fmt.Println(x)
	}
	var err error
	for i := 0; i < 2; i++ {
		v, err := get()
		_ = v
		i := i * 10
		fmt.Println(i, err)
	}
	fmt.Println(x, err, f(1), f(2), f(3))
	fmt.Println(int8{4})
	len := func(s string) string { return "my len of " + s }
	fmt.Println(len("s"))
	true := false
	fmt.Println(true)
	switch x := any(x).(type) {
	case int:
		x++
		fmt.Println(x)
	}
	fmt.Println(x)
}
