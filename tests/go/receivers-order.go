// A receiver, and a function that is a value, are read after the calls in the arguments; an interface is read before them.
package main

import "fmt"

type V struct{ n int }

func (v V) Get(x int) int              { return v.n*100 + x }
func (v *V) Ptr(x int) int             { return v.n*1000 + x }
func (v V) Any(x any, more ...any) int { return v.n*100 + x.(int) + len(more) }
func (v V) Two(a, b int) V             { fmt.Print(v.n, a, b, " "); return V{v.n + a + b} }
func two() (int, int)                  { return 1, 2 }

type E struct{ *V }
type M map[string]int

func (m M) At(k string) int { return m[k] }

type G[T any] struct{ v T }

func (g G[T]) Show(x int) string { return fmt.Sprint(g.v, x) }

func main() {
	v := V{1}
	set := func(n int) int { v.n = n; return n }
	fmt.Println(v.Get(set(2)), v.Ptr(set(3)), v.Any(set(4), set(5)), v.Get(set(6)+set(7)))
	p := &v
	fmt.Println(p.Get(set(2)), p.Ptr(set(3)))
	re := func(n int) int { p = &V{n}; return n }
	fmt.Println(p.Get(re(2)), p.Ptr(re(3)), (*p).Get(re(4)))
	e := E{&v}
	fmt.Println(e.Get(set(2)), e.Ptr(set(3)))
	ree := func(n int) int { e = E{&V{n}}; return n }
	fmt.Println(e.Get(ree(2)), e.Ptr(ree(3)))
	fmt.Println(v.Two(set(8), 1).Two(set(9), 2).Get(set(1)))
	m := M{"a": 1}
	rm := func() string { m = M{"a": 2}; return "a" }
	fmt.Println(m.At(rm()))
	g := G[int]{1}
	rg := func(n int) int { g.v = n; return n }
	fmt.Println(g.Show(rg(5)))
	a := [2]V{{1}, {2}}
	ra := func(n int) int { a[1].n = n; return n }
	fmt.Println(a[1].Get(ra(7)), a[1].Ptr(ra(8)))
	fn := func(x int) int { return x }
	rf := func() int { fn = func(x int) int { return x * 10 }; return 3 }
	fmt.Println(fn(rf()))
	fs := []func(int) int{fn}
	rfs := func() int { fs[0] = func(x int) int { return -x }; return 3 }
	fmt.Println(fs[0](rfs()))
	h := struct{ f func(int) int }{fn}
	rh := func() int { h.f = func(x int) int { return -x }; return 3 }
	fmt.Println(h.f(rh()))
	defer func() { fmt.Println(recover()) }()
	var q *V
	rq := func() int { fmt.Println("argument"); return 1 }
	fmt.Println(q.Get(rq()))
}
