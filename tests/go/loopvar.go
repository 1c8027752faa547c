// Since Go 1.22 each iteration has its own loop variable.
package main

import "fmt"

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
	var ps []*int
	for i := 0; i < 6; i++ {
		ps = append(ps, &i)
		i++
	}
	for _, p := range ps {
		fmt.Print(*p, " ")
	}
	fmt.Println()
	fs = nil
	for _, s := range []string{"a", "b"} {
		defer fmt.Println("deferred", s)
		defer func() { fmt.Println("closure", s) }()
	}
}
