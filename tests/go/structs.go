// Structs are values: assignment copies them; they compare field by field.
package main

import "fmt"

type point struct{ x, y int }
type line struct{ from, to point }
type person struct {
	name    string
	friends []string
	home    *point
	tags    map[string]bool
}

func move(p point) point { p.x++; return p }
func (p *point) shift()  { p.y++ }

type tree struct {
	left, right *tree
	value       int
}

func (t *tree) insert(v int) *tree {
	if t == nil {
		return &tree{value: v}
	}
	if v < t.value {
		t.left = t.left.insert(v)
	} else {
		t.right = t.right.insert(v)
	}
	return t
}

func (t *tree) walk(f func(int)) {
	if t != nil {
		t.left.walk(f)
		f(t.value)
		t.right.walk(f)
	}
}

func main() {
	a := point{1, 2}
	b := a
	b.x = 10
	fmt.Println(a, b, move(a), a, a == point{1, 2}, a != b)
	l := line{from: a}
	l.to.shift()
	p := &l.from
	p.x = 50
	fmt.Println(l, l == line{point{50, 2}, point{0, 1}})
	one := person{name: "Ann", friends: []string{"Bob"}, home: &point{1, 1}}
	two := one
	two.friends[0] = "Cid"
	two.home.x = 9
	two.name = "Dan"
	fmt.Println(one.name, one.friends, *one.home, one.tags == nil)
	fmt.Printf("%v %+v\n", l, l)
	anonymous := struct {
		a int
		b string
	}{1, "x"}
	fmt.Printf("%v %+v %T\n", anonymous, anonymous, anonymous)
	list := []point{{3, 4}, {5, 6}}
	for _, q := range list {
		q.shift()
	}
	for i := range list {
		list[i].shift()
	}
	fmt.Println(list)
	pointers := []*point{{1, 1}, {2, 2}}
	pointers[0].shift()
	fmt.Println(*pointers[0], len(pointers))
	grid := [2][2]point{}
	grid[1][0].x = 3
	copied := grid
	copied[1][0].x = 4
	fmt.Println(grid, copied, grid == copied)
	var root *tree
	for _, v := range []int{5, 2, 8, 1, 9, 3} {
		root = root.insert(v)
	}
	root.walk(func(v int) { fmt.Print(v, " ") })
	fmt.Println()
	pp := &p
	(*pp).x++
	(**pp).y--
	fmt.Println(l.from, new(int) == nil, *new(point))
	var empty struct{}
	fmt.Println(empty, [0]int{}, struct{ a, b any }{})
}
