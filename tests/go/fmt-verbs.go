// The verbs of fmt with widths, precisions and flags.
package main

import "fmt"

type point struct {
	X, Y int
}
type named struct {
	Name string
	P    *point
	L    []int
	M    map[string]int
	I    any
	F    func()
}
type temp float64
type color int

func (c color) String() string { return fmt.Sprintf("color(%d)", int(c)) }

type secret struct{ s string }

func (secret) GoString() string { return "SECRET" }

func main() {
	fmt.Printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%x] [%X] [%#x] [%o] [%#o] [%O] [%b] [%c] [%q] [%U] [%#U]\n", 42, 42, 42, 42, 42, 42, 255, 255, 255, 8, 8,
		8, 5, 'A', 'A', 'A', '世')
	fmt.Printf("[%d] [%5d] [%-5d] [%05d] [%+d] [%x] [%b] [%.3d] [%8.3d] [%08b]\n", -42, -42, -42, -42, -42, -255, -5, 7, 7, 5)
	fmt.Printf("[%f] [%.2f] [%8.2f] [%-8.2f] [%08.2f] [%+.1f] [%e] [%.1e] [%E] [%g] [%G] [%.3g] [%6.1f%%]\n", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159,
		3.14159, 1234.5678, 1234.5678, 0.00012, 1e21, 1e-7, 1234.5678, 99.5)
	fmt.Printf("[%v] [%v] [%v] [%v] [%v] [%v] [%v]\n", 1.0, 1e20, 1e21, 1e-4, 1e-5, float32(0.1), 100000.0)
	fmt.Printf("[%s] [%10s] [%-10s] [%.2s] [%5.1s] [%q] [%x] [%X] [% x] [%#x] [%v] [%+q] [%#q]\n", "go", "go", "go", "golang", "golang", "a\"b\n", "hi", "hi",
		"hi", "hi", "plain", "é", "raw")
	fmt.Printf("[%t] [%v] [%5t] [%-7t]|\n", true, false, true, false)
	p := point{1, 2}
	fmt.Printf("[%v] [%+v] [%#v] [%T] [%v] [%+v] [%d]\n", p, p, p, p, &p, &p, p)
	n := named{Name: "n", L: []int{1}, M: map[string]int{"b": 2, "a": 1}, I: 1.5}
	fmt.Printf("[%v] [%+v]\n", n, n)
	fmt.Printf("[%#v] [%#v] [%#v] [%#v] [%#v]\n", []int{1, 2}, map[string]bool{"x": true}, "s", 'x', 1.0)
	fmt.Printf("[%#v] [%#v] [%#v] [%#v] [%#v] [%#v]\n", []string{"a"}, [2]bool{}, struct{ A any }{nil}, temp(2), color(3), secret{"x"})
	fmt.Printf("[%v] [%d] [%s] [%x] [%q]\n", []int{1, 2}, []int{1, 2}, []string{"a", "b"}, []int{10, 11}, []string{"a b", "c"})
	fmt.Printf("[%5d] [%-3d] [%03d] [%.1f] [%6.2f]\n", []int{1, 2}, []int{1, 2}, []int{1, 2}, []float64{1, 2.55}, map[string]float64{"a": 1})
	fmt.Printf("[%v] [%s] [%x] [%d] [%q]\n", []byte("hi"), []byte("hi"), []byte("hi"), []byte("hi"), []byte("hi"))
	fmt.Printf("[%v] [%s] [%d] [%v] [%v]\n", color(7), color(7), color(7), []color{1, 2}, map[color]color{1: 2})
	fmt.Printf("[%v] [%+v] [%s] [%d]\n", nil, nil, nil, nil)
	fmt.Printf("%d %s\n", "text", 5)
	fmt.Printf("%d\n", 1, 2)
	fmt.Printf("%d %d\n", 1)
	fmt.Printf("%z %!\n", 3)
	fmt.Printf("%[2]d %[1]d %[2]d %d\n", 1, 2)
	fmt.Printf("%*d|%-*d|%.*f|%[3]*.[2]*[1]f|\n", 5, 1, 4, 2, 1, 3.14159)
	fmt.Printf("%[5]d %[x]d\n", 1)
	fmt.Printf("%T %T %T %T %T %T %T %T %T\n", 1, "s", 1.5, 'r', true, nil, []any{}, map[string][]int{}, func(int) (string, error) { return "", nil })
	fmt.Printf("%T %T %T %T %T %T\n", make(chan int), make(<-chan string), &p, struct{ a int }{}, [3]*int{}, byte(1))
	fmt.Printf("%v %v %v\n", struct{}{}, []any{1, "a", nil, 2.5, []int{3}}, [2][]string{{"x"}, nil})
	fmt.Printf("%6v|%-6v|%06v|%6v|%+v\n", 42, 42, 42, "ab", -1)
	fmt.Printf("%t %s\n", 1, true)
	fmt.Printf("%c%c %v %s\n", 72, 0x4E16, 'x', string(rune(105)))
	fmt.Printf("%08.3f|%+08d|%x|%X|% d|%+.2e\n", -3.14159, 42, -1, uint8(200), -5, 12345.678)
	fmt.Printf("100%%\n")
	fmt.Print("a", "b", 1, 2, "c", 3.5, nil, true, '\n', "\n")
	fmt.Print(1, 2, "\n")
	fmt.Println("a", 1, 2.0, nil, []string(nil), map[string]int(nil), error(nil), (*point)(nil))
	fmt.Println(fmt.Sprint(), fmt.Sprint(1, 2), fmt.Sprint("a", "b"), fmt.Sprint("a", 1, 2, "b"), fmt.Sprintln("x", 1) == "x 1\n")
}
