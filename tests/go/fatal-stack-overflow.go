// Endless recursion ends with a stack overflow.
package main

import "fmt"

func down(n int) int { return down(n+1) + 1 }

func main() {
	defer fmt.Println("not printed")
	fmt.Println("going down")
	fmt.Println(down(0))
}
