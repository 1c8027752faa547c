// Method values bind their receiver; method expressions take it as the first argument.
package main

import "fmt"

type counter struct{ n int }

func (c *counter) add(d int) int { c.n += d; return c.n }
func (c counter) show() string   { return fmt.Sprint("counter ", c.n) }

type adder interface{ add(int) int }

type op func(int, int) int

func (o op) twice(a, b int) int { return o(o(a, b), b) }

func apply(f func(int) int, list ...int) (out []int) {
	for _, v := range list {
		out = append(out, f(v))
	}
	return
}

func main() {
	c := counter{10}
	add := c.add
	show := c.show
	add(5)
	fmt.Println(c.n, show(), c.show())
	fmt.Println(apply(c.add, 1, 2, 3))
	var a adder = &c
	byInterface := a.add
	a = &counter{100}
	fmt.Println(byInterface(1), a.add(1))
	expr := (*counter).add
	fmt.Println(expr(&c, 1), counter.show(c), adder.add(a, 5))
	times := op(func(a, b int) int { return a * b })
	fmt.Println(times.twice(2, 3), op.twice(times, 1, 5))
	fs := map[string]func(int) int{"c": c.add, "other": (&counter{1}).add}
	fmt.Println(fs["c"](0), fs["other"](1))
	defer func(f func() string) { fmt.Println(f()) }(c.show)
	c.n = 0
	var p *counter
	defer func() { fmt.Println(recover()) }()
	f := p.show
	fmt.Println(f())
}
