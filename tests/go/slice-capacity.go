// append rounds the capacity up to the size of a block of memory, which depends on the size of the elements and on pointers in them.
package main

import "fmt"

type small struct{ a, b int8 }
type large struct {
	name string
	data [3]int
}

func growth[T any](n int) {
	var s []T
	var zero T
	for range n {
		before := cap(s)
		s = append(s, zero)
		if cap(s) != before {
			fmt.Print(cap(s), " ")
		}
	}
	fmt.Printf("%T\n", s)
}

func main() {
	growth[int](3000)
	growth[byte](3000)
	growth[int32](1000)
	growth[string](1000)
	growth[*int](1000)
	growth[small](500)
	growth[large](200)
	growth[[5]int16](200)
	growth[[]int](300)
	growth[any](300)
	growth[struct{}](10)
	fmt.Println(cap(append([]int32{1, 2, 3}, 4)), cap(append([]string{"a"}, "b", "c", "d")), cap(append([]byte{}, make([]byte, 33)...)))
	fmt.Println(cap(append([]int(nil), 1, 2, 3, 4, 5)), cap(append(make([]int, 5), make([]int, 6)...)), cap(append([]byte("ab"), "cdefghijk"...)) >= 11)
	fmt.Println(cap(append(make([]int, 2, 10), 1, 2, 3)), append([]small{{1, 2}}, small{3, 4}, small{5, 6}))
}
