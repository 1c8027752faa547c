// Slices share their array until append must make a larger one.
package main

import "fmt"

func change(s []int)       { s[0] = 100 }
func grow(s []int) []int   { return append(s, 1, 2, 3) }
func changeArray(a [3]int) { a[0] = 100 }
func pointer(a *[3]int)    { a[0] = 100 }

func main() {
	a := []int{1, 2, 3, 4, 5}
	b := a[1:3]
	fmt.Println(b, len(b), cap(b))
	b = append(b, 40)
	fmt.Println(a, b)
	c := a[1:3:3]
	c = append(c, 400)
	fmt.Println(a, c, cap(c))
	change(a[2:])
	fmt.Println(a)
	grown := grow(a)
	grown[0] = -1
	fmt.Println(a[0], len(grown))
	copy(a[1:], a)
	fmt.Println(a)
	n := copy(a, []int{7, 8})
	fmt.Println(n, a, copy(a, a[3:]), a)
	array := [3]int{1, 2, 3}
	other := array
	changeArray(array)
	other[1] = 9
	fmt.Println(array, other, array == other, array == [3]int{1, 2, 3})
	pointer(&array)
	fmt.Println(array, len(array))
	var nothing []int
	fmt.Println(nothing == nil, len(nothing), cap(nothing), []int{} == nil)
	nothing = append(nothing, nothing...)
	fmt.Println(nothing == nil)
	bytes := append([]byte("hello "), "world"...)
	fmt.Println(string(bytes), len(bytes))
	fmt.Println(cap(append([]int32{1, 2, 3}, 4)), cap(append([]string{"a"}, "b", "c", "d")), cap(append([]byte{}, make([]byte, 33)...)))
	matrix := make([][]int, 2)
	for i := range matrix {
		matrix[i] = make([]int, 3)
		matrix[i][i] = 1
	}
	fmt.Println(matrix, [2][2]string{{"a", "b"}, {"c", ""}})
	fmt.Println([...]string{2: "c", 0: "a"}, []int{5: 1, 2, 1: 7})
	clear(a)
	fmt.Println(a, min(3, 1, 2), max(2.5, 1))
	fmt.Println([2]int(a[:2]), *(*[1]int)(a))
}
