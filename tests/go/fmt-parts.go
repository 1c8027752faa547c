package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

type S string
type I int
type E struct{ code int }

func (e E) Error() string { return fmt.Sprintf("E%d", e.code) }

type St struct{ n int }

func (s *St) String() string { return fmt.Sprint("St", s.n) }

type Color int

func (c Color) String() string { return [...]string{"red", "green"}[c] }

type In struct {
	a int
	B Color
	c Color
	p *St
}
type MyErr struct{ msg string }

func (m *MyErr) Error() string { return m.msg }

func find() error { return &MyErr{"lost"} }

func main() {
	fmt.Println([]Color{0, 1}, map[Color]int{1: 1, 0: 2}, Color(1), &[]int{1}, &map[string]int{"a": 1})
	fmt.Println(In{1, 1, 1, nil}, &In{1, 0, 0, &St{4}} != nil)
	fmt.Printf("%v %+v\n", In{1, 1, 1, nil}, In{1, 1, 0, nil})
	fmt.Printf("%d %s %v %x\n", Color(1), Color(0), Color(5-5), Color(1))
	fmt.Println([]error{errors.New("a"), E{3}, nil}, []any{1, "a", nil, 2.5, true, 'x'})
	fmt.Printf("%s %v %q %x\n", S("hi"), S("hi"), S("h\"i\n"), "hi")
	fmt.Printf("%#v %#v %#v %#v %#v %#v\n", S("a"), I(3), []string{"a"}, map[string]bool{"x": true}, E{1}, struct {
		A int
		b string
	}{1, "x"})
	fmt.Printf("%#v %#v %#v\n", []any{1, nil, "s"}, []byte("ab"), [2]bool{true})
	fmt.Printf("%T %T %T %T %T %T %T\n", S(""), &St{}, []any{}, map[string][]int{}, func(int) string { return "" }, make(chan<- int), struct{ X, y int }{})
	fmt.Printf("%d %!|%z %d\n", 1, 2)
	fmt.Printf("%d\n", "x")
	fmt.Printf("%s\n", 42)
	fmt.Printf("%d %d\n", 1, 2, 3)
	fmt.Printf("%[2]d %[1]d\n", 1, 2)
	fmt.Printf("%*d|%-*d|%.*f\n", 5, 42, 5, 42, 2, 3.14159)
	fmt.Printf("%+d % d %08.3f %+.2f %o %#o %b %#x %X %#b %O\n", 5, 5, 3.14159, 2.0, 8, 8, 5, 255, 255, 5, 8)
	fmt.Printf("%6.2f|%-8s|%8s|%.2s|%5t|%c|%q|%U|%#U\n", 1.005, "ab", "cd", "xyz", true, 'é', 'x', '⌘', '⌘')
	fmt.Printf("%5v|%-5v|%05v|%v\n", []int{1, 2}, []string{"a"}, 7, [3]bool{})
	fmt.Printf("%x %X % x %#x %s %q\n", []byte("abc"), "abc", "abc", "abc", []byte("abc"), []string{"a", "b"})
	fmt.Printf("%t %v %s\n", 1, nil, nil)
	_ = time.Second
	fmt.Printf("%6d|%6v|%t\n", []int{1, 2}, map[string]int{"a": 1}, []bool{true})
	fmt.Printf("%v %v\n", struct{}{}, [0]int{})
	fmt.Printf("%e %E %g %G\n", 123456.789, 0.00012, 1e-7, 1e20)
	fmt.Printf("%3c|%-3c|%03d|%+q|%#q\n", 'a', 'b', 7, "é", "abc")
	fmt.Println(fmt.Sprint("a", 1, 2, "b", "c", 3.0, nil, nil), fmt.Sprintln("x", 1))
	var np *St
	var e error
	fmt.Println(np, e)
	fmt.Printf("%v %+v %s\n", np, e, e)
	err := fmt.Errorf("ctx: %w", find())
	var me *MyErr
	fmt.Println(err, errors.As(err, &me), me.msg, errors.Unwrap(err) == error(me))
	fmt.Println(errors.Is(err, me), errors.Is(err, errors.New("lost")))
	j := errors.Join(errors.New("a"), nil, errors.New("b"))
	fmt.Println(j)
	fmt.Printf("%q\n", j.Error())
	fmt.Printf("%v %T\n", fmt.Errorf("x %w y %w", errors.New("1"), E{2}), fmt.Errorf("%d", 1))
	fmt.Fprintf(os.Stdout, "%s-%d\n", "a", 1)

	fmt.Printf("%v %v %v\n", int8(-128), uint8(255), uint64(1<<63))
	fmt.Printf("%v|%10.3v|%-10v|\n", 3.0, 3.14159, 2.5)
	fmt.Printf("%s|%v|%d\n", []any{"a", 1}, []any{[]int{1}, map[int]string{1: "x"}}, []any{1, "b"})
	fmt.Printf("%v %v\n", &struct{ A *int }{nil}, &[]Color{1})
	fmt.Printf("100%%\n")
	fmt.Printf("%")
	fmt.Printf("\n%s %v\n", Color(7), 1)
}
