// Deferred calls run in reverse order. Their arguments are evaluated at the defer statement.
package main

import "fmt"

func numbers() {
	for i := 0; i < 3; i++ {
		defer fmt.Println("deferred", i)
	}
	x := 1
	defer fmt.Println("argument", x)
	defer func() { fmt.Println("closure", x) }()
	x = 2
	fmt.Println("body ends")
}

func result() (n int) {
	defer func() { n *= 10 }()
	n = 1
	return n + 1
}

type door struct{ name string }

func (d door) close()     { fmt.Println("close", d.name) }
func (d *door) closePtr() { fmt.Println("close by pointer", d.name) }

func main() {
	numbers()
	fmt.Println("result", result())
	d := door{"front"}
	defer d.closePtr()
	defer d.close()
	d.name = "back"
	f := func() { fmt.Println("first value of f") }
	defer f()
	f = func() { fmt.Println("second value of f") }
}
