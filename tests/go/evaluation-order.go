package main

import "fmt"

var g = 1

func inc() int { g++; return g }

type S struct{ a int }

func (s *S) inc() int         { s.a++; return s.a }
func pair(a, b, c int) string { return fmt.Sprint(a, b, c) }
func ret() (int, int)         { return g, inc() }
func ret3() (x int, y int) {
	h := func() int { x += 10; return x }
	return x, h()
}

func main() {
	x := 1
	f := func() int { x += 5; return x }
	fmt.Println(x+f(), x)
	fmt.Println(g, inc(), g, inc())
	fmt.Println(pair(g, inc(), g))
	y := g + inc()*g
	fmt.Println(y)
	s := &S{1}
	fmt.Println(s.a+s.inc(), s.a)
	a := []int{1, 2, 3}
	h := func() int { a[0] = 100; return 1 }
	fmt.Println(a[0]+h(), a)
	k := []int{g, inc(), g}
	fmt.Println(k)
	fmt.Println(ret())
	fmt.Println(ret3())
	t := S{g}
	u := [2]int{g, inc()}
	fmt.Println(t, u)
	m := map[string]int{"a": 1}
	z := m["a"] + func() int { m["a"] = 50; return 1 }()
	fmt.Println(z)
	p, q := x, f()
	fmt.Println(p, q)
	ch := make(chan int, 2)
	ch <- 3
	ch <- 4
	fmt.Println(<-ch-<-ch, g == inc(), inc() == g)
	str := "a"
	fs := func() string { str += "b"; return str }
	fmt.Println(str + fs() + str)
	fmt.Println(x > f() && x < f(), x)
	b := x
	b += f()
	x += f()
	fmt.Println(b, x)
	a[g%3] = inc()
	fmt.Println(a)
}
