// switch with and without a value, with several values, fallthrough, init statements, functions.
package main

import "fmt"

func name(n int) string { fmt.Print("<", n, ">"); return fmt.Sprint(n) }

func grade(p int) string {
	switch {
	case p >= 90:
		return "A"
	case p >= 80, p == 79:
		return "B"
	}
	return "C"
}

func main() {
	for i := -1; i < 6; i++ {
		switch i {
		case 0:
			fmt.Print("zero ")
		case 1, 2:
			fmt.Print("few ")
			if i == 2 {
				break
			}
			fallthrough
		case 3:
			fmt.Print("up to three ")
		default:
			fmt.Print("other ")
			fallthrough
		case 100:
			fmt.Print("after default ")
		case 4:
			fmt.Print("four ")
		}
	}
	fmt.Println()
	fmt.Println(grade(95), grade(79), grade(10))
	switch x := 5; name(x) {
	case name(1), name(5), name(6):
		fmt.Println("found")
	case name(7):
		fmt.Println("not evaluated")
	}
	switch x := any("s"); y := x.(type) {
	case int, string:
		fmt.Printf("%T %v\n", y, y)
	}
	switch {
	}
	switch any(3) {
	case "3":
		fmt.Println("string")
	case 3.0:
		fmt.Println("float")
	case 3:
		fmt.Println("int")
	}
	type point struct{ x, y int }
	switch (point{1, 2}) {
	case point{2, 1}:
		fmt.Println("no")
	case point{1, 2}:
		fmt.Println("struct")
	}
	switch f := func() bool { return true }; f() {
	case false:
		fmt.Println("no")
	case true:
		fmt.Println("yes")
	}
	var e error
	switch e {
	case nil:
		fmt.Println("nil error")
	}
}
