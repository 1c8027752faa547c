// select in all forms whose choice is decided.
package main

import "fmt"

func main() {
	empty, full := make(chan int), make(chan int, 1)
	full <- 1
	select {
	case v := <-empty:
		fmt.Println("not here", v)
	case v := <-full:
		fmt.Println("received", v)
	}
	select {
	case empty <- 1:
		fmt.Println("not here")
	default:
		fmt.Println("nobody receives")
	}
	close(full)
	select {
	case v, ok := <-full:
		fmt.Println("closed:", v, ok)
	}
	var none chan int
	select {
	case <-none:
	case none <- 1:
	default:
		fmt.Println("a nil channel is never ready")
	}
	go func() { empty <- 5 }()
	var list [3]int
	i := 1
	select {
	case list[i] = <-empty:
		fmt.Println(list)
	}
	order := func(s string, c chan int) chan int { fmt.Println("evaluate", s); return c }
	value := func(n int) int { fmt.Println("value", n); return n }
	select {
	case <-order("first", none):
	case order("second", none) <- value(2):
	default:
		fmt.Println("default")
	}
loop:
	for n := 0; ; n++ {
		select {
		case <-none:
		default:
			if n == 3 {
				break loop
			}
			continue loop
		}
	}
	fmt.Println("end")
}
