// goto, forward and backward.
package main

import "fmt"

func collatz(n int) (steps int) {
loop:
	if n == 1 {
		return
	}
	steps++
	if n%2 == 0 {
		n /= 2
		goto loop
	}
	n = 3*n + 1
	goto loop
}

func check(a, b int) string {
	if a < 0 {
		goto bad
	}
	if b < 0 {
		goto bad
	}
	return "good"
bad:
	return "bad"
}

func closures() {
	var fs []func() int
	i := 0
again:
	j := i * i
	fs = append(fs, func() int { j++; return j })
	i++
	if i < 3 {
		goto again
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()
}

func main() {
	fmt.Println(collatz(27), check(1, 2), check(1, -2), check(-1, 2))
	closures()
}
