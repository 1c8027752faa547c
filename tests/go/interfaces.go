// Interfaces: dynamic types, type switches, comparison, nil inside an interface.
package main

import (
	"errors"
	"fmt"
)

type shape interface {
	area() float64
	perimeter() float64
}

type rect struct{ w, h float64 }
type circle struct{ r float64 }

func (r rect) area() float64         { return r.w * r.h }
func (r rect) perimeter() float64    { return 2 * (r.w + r.h) }
func (c *circle) area() float64      { return 3 * c.r * c.r }
func (c *circle) perimeter() float64 { return 6 * c.r }

type myError struct{ code int }

func (e *myError) Error() string { return fmt.Sprint("code ", e.code) }

func fails(yes bool) error {
	var e *myError
	if yes {
		e = &myError{7}
	}
	return e
}

func kind(x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("integer %v", v)
	case string:
		return "string of " + fmt.Sprint(len(v))
	case []int:
		return fmt.Sprint("slice of ", len(v))
	case error:
		return "error " + v.Error()
	case fmt.Stringer:
		return "stringer " + v.String()
	case shape:
		return fmt.Sprint("shape ", v.area())
	case func() int:
		return fmt.Sprint("function ", v())
	case map[string]int:
		return fmt.Sprint("map ", v["a"])
	case chan int:
		return "channel"
	case *int:
		return fmt.Sprint("pointer to ", *v)
	case bool, float64:
		return fmt.Sprintf("%T", v)
	default:
		return fmt.Sprintf("other %T", v)
	}
}

type day int

func (d day) String() string { return [...]string{"Mon", "Tue"}[d] }

func main() {
	shapes := []shape{rect{2, 3}, &circle{1}, &rect{1, 1}}
	for _, s := range shapes {
		fmt.Printf("%T %.1f %.1f\n", s, s.area(), s.perimeter())
	}
	fmt.Println(shapes[0] == rect{2, 3}, shapes[1] == &circle{1}, shapes[0] == shapes[1])
	n := 5
	for _, x := range []any{nil, 1, int64(2), "text", []int{1}, errors.New("e"), day(1), rect{1, 2}, func() int { return 9 },
		map[string]int{"a": 3}, make(chan int), &n, true, 1.5, struct{}{}, int8(1), [2]bool{}, []string{}} {
		fmt.Println(kind(x))
	}
	fmt.Println(fails(true), fails(false) == nil, fails(true) != nil)
	var s shape
	fmt.Println(s == nil)
	_, ok := s.(rect)
	fmt.Println(ok)
	r, ok := shapes[0].(rect)
	fmt.Println(r, ok)
	_, isStringer := shapes[0].(fmt.Stringer)
	fmt.Println(isStringer)
	var a, b any = 1, 1.0
	fmt.Println(a == b, a == 1, b == 1.0, any("x") == any("x"))
	fmt.Println(day(0), []day{0, 1}, map[day]day{1: 0}, struct{ d day }{1})
}
