// The recovered value is thrown again.
package main

import "fmt"

func main() {
	defer func() {
		r := recover()
		fmt.Println("seen", r)
		panic(r)
	}()
	var list []int
	fmt.Println(list[2])
}
