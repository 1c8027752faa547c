// Closures share the variables that they capture.
package main

import "fmt"

func counter() (inc func() int, get func() int) {
	n := 0
	inc = func() int { n++; return n }
	get = func() int { return n }
	return
}

func fibonacci() func() int {
	a, b := 0, 1
	return func() int {
		defer func() { a, b = b, a+b }()
		return a
	}
}

func compose(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func main() {
	inc, get := counter()
	inc()
	inc()
	other, _ := counter()
	fmt.Println(get(), other())
	f := fibonacci()
	for i := 0; i < 10; i++ {
		fmt.Print(f(), " ")
	}
	fmt.Println()
	double := func(x int) int { return 2 * x }
	fmt.Println(compose(double, func(x int) int { return x + 1 }, double)(5))
	var fact func(int) int
	fact = func(n int) int {
		if n == 0 {
			return 1
		}
		return n * fact(n-1)
	}
	fmt.Println(fact(10))
	x := 1
	set := func(v int) { x = v }
	set(7)
	fmt.Println(x)
	func() {
		x := x
		x++
		fmt.Println("inside", x)
	}()
	fmt.Println("outside", x)
	memo := map[int]int{}
	var slow func(int) int
	slow = func(n int) int {
		if v, ok := memo[n]; ok {
			return v
		}
		if n < 2 {
			return n
		}
		memo[n] = slow(n-1) + slow(n-2)
		return memo[n]
	}
	fmt.Println(slow(80), len(memo))
	fmt.Println(func(a, b int) int { return a * b }(3, 4))
}
