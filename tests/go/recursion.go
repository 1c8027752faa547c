// Recursion and mutual recursion.
package main

import "fmt"

func even(n int) bool {
	if n == 0 {
		return true
	}
	return odd(n - 1)
}

func odd(n int) bool {
	if n == 0 {
		return false
	}
	return even(n - 1)
}

func hanoi(n int, from, to, via string, move func(string, string)) {
	if n > 0 {
		hanoi(n-1, from, via, to, move)
		move(from, to)
		hanoi(n-1, via, to, from, move)
	}
}

func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func permute(list []int, k int, visit func([]int)) {
	if k == len(list) {
		visit(list)
		return
	}
	for i := k; i < len(list); i++ {
		list[k], list[i] = list[i], list[k]
		permute(list, k+1, visit)
		list[k], list[i] = list[i], list[k]
	}
}

func queens(n, row int, cols []int) int {
	if row == n {
		return 1
	}
	total := 0
next:
	for c := 0; c < n; c++ {
		for r, used := range cols {
			if used == c || row-r == c-used || row-r == used-c {
				continue next
			}
		}
		total += queens(n, row+1, append(cols, c))
	}
	return total
}

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + deep(n-1)
}

func main() {
	fmt.Println(even(10), odd(7), even(101))
	moves := 0
	hanoi(5, "a", "c", "b", func(from, to string) {
		moves++
		if moves <= 3 {
			fmt.Println(from, "->", to)
		}
	})
	fmt.Println(moves, ackermann(2, 3), gcd(1071, 462), deep(10000))
	permute([]int{1, 2, 3}, 0, func(l []int) { fmt.Print(l, " ") })
	fmt.Println(queens(6, 0, nil))
}
