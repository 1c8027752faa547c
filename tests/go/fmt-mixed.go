package main

import "fmt"

type id int

type pair struct {
	A any
	E error
}

func main() {
	fmt.Printf("%d %s %v %x %6v|\n", []any{nil}, []error{nil}, []any{nil, 1}, []any{nil}, []any{nil})
	fmt.Printf("%d %s %v %+v %#v\n", pair{}, pair{}, pair{}, &pair{}, pair{})
	fmt.Printf("%s %d\n", map[string]any{"k": nil}, map[any]any{nil: nil})
	fmt.Printf("%d %s %v\n", nil, nil, nil)
	fmt.Println(map[any]int{1: 1, "a": 2, true: 3, 2: 4, "b": 5, false: 6, 2.5: 7, nil: 8, 'x': 9, 1.5: 10})
	fmt.Println(map[any]int{int8(3): 1, uint(2): 2, int64(1): 3, uint8(9): 4, int8(1): 5, float32(4): 6, uint8(2): 7, uintptr(1): 8})
	fmt.Println(map[any]int{id(3): 1, 2: 2, id(1): 3, 3: 4, [2]int{1, 2}: 5, [2]int{0, 9}: 6, "z": 7})
}
