package main

import (
	"fmt"
	"sort"
	"strings"
)

type Number interface {
	~int | ~int8 | ~uint8 | ~float32 | ~float64
}

func conv[A, B Number](a A) B { return B(a) }

type List[T any] struct {
	head *node[T]
	n    int
}
type node[T any] struct {
	v    T
	next *node[T]
}

func (l *List[T]) Add(v T) *List[T] { l.head = &node[T]{v, l.head}; l.n++; return l }
func (l *List[T]) Each(f func(T)) {
	for n := l.head; n != nil; n = n.next {
		f(n.v)
	}
}

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func Sorted[K ~string, V any](m map[K]V) []Pair[K, V] {
	var out []Pair[K, V]
	for k, v := range m {
		out = append(out, Pair[K, V]{k, v})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}

type Stringish interface{ ~string }

func Join[S Stringish](xs []S) string {
	var b strings.Builder
	for _, x := range xs {
		b.WriteString(string(x))
	}
	return b.String()
}

type Set[T comparable] map[T]struct{}

func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }

func Reduce[T, A any](xs []T, init A, f func(A, T) A) A {
	for _, x := range xs {
		init = f(init, x)
	}
	return init
}

type Tree[T interface{ Less(T) bool }] struct {
	l, r *Tree[T]
	v    T
}
type N int

func (a N) Less(b N) bool { return a < b }
func (t *Tree[T]) Insert(v T) *Tree[T] {
	if t == nil {
		return &Tree[T]{v: v}
	}
	if v.Less(t.v) {
		t.l = t.l.Insert(v)
	} else {
		t.r = t.r.Insert(v)
	}
	return t
}
func (t *Tree[T]) Walk(f func(T)) {
	if t != nil {
		t.l.Walk(f)
		f(t.v)
		t.r.Walk(f)
	}
}

type Opt func(*cfg)
type cfg struct {
	n int
	s string
}

func WithN(n int) Opt { return func(c *cfg) { c.n = n } }

type base struct{ id int }

func (b base) ID() int       { return b.id }
func (b *base) SetID(id int) { b.id = id }

type mid struct{ base }
type top struct {
	*mid
	name string
}
type IDer interface{ ID() int }

func main() {
	fmt.Println(conv[int, uint8](300), conv[float64, int](-2.7), conv[int, float32](16777217), conv[uint8, int8](200))
	var f32 float32 = 0.1
	fmt.Println(f32+0.2, float64(f32), f32*3, 0.1+0.2, 1/3.0)
	var u64 uint64 = 1<<64 - 1
	fmt.Println(u64, float64(u64), int64(u64), uint32(u64), u64/3, u64%10, u64>>60)
	var i8 int8 = -128
	fmt.Println(-i8, i8-1, i8/-1, uint8(i8), int16(i8)<<8, i8>>1, ^i8)
	var i64 int64 = -1 << 63
	fmt.Println(-i64, i64/-1, i64%-1, i64-1, uint64(i64))
	var s uint = 70
	fmt.Println(1<<(s-7), int32(1)<<s, -1>>s, uint8(255)>>4)
	x := 0x1F
	x &^= 0x3
	x |= 1 << 7
	x ^= 0xFF
	fmt.Println(x, 0b101, 0o17, 1_000_000, 'a'+1, string(rune('a'+1)), "\u00e9\x41")
	fmt.Println(uint8(int(300)&0xff), 7>>1, -7>>1, -7/2)
	l := (&List[string]{}).Add("a").Add("b")
	l.Each(func(s string) { fmt.Print(s, " ") })
	fmt.Println(l.n)
	fmt.Println(Sorted(map[string]int{"b": 2, "a": 1}))
	fmt.Printf("%T %v %+v\n", Pair[string, int]{}, Pair[string, []int]{"k", []int{1}}, Pair[string, int]{"a", 1})
	fmt.Println(Join([]string{"x", "y"}), Set[int]{3: {}}.Has(3), Set[string]{}.Has("q"))
	fmt.Println(Reduce([]int{1, 2, 3}, "", func(a string, x int) string { return a + fmt.Sprint(x) }))
	var t *Tree[N]
	for _, v := range []N{5, 2, 8, 1} {
		t = t.Insert(v)
	}
	t.Walk(func(n N) { fmt.Print(n, " ") })
	fmt.Println()
	c := &cfg{}
	for _, o := range []Opt{WithN(3), func(c *cfg) { c.s = "z" }} {
		o(c)
	}
	fmt.Println(*c, c)
	tp := top{&mid{base{1}}, "n"}
	tp.SetID(7)
	var ider IDer = tp
	fmt.Println(tp.ID(), tp.id, ider.ID(), tp.mid.base)
	g := tp.SetID
	g(9)
	h := (*base).SetID
	h(&tp.base, 11)
	fmt.Println(tp.ID(), base.ID(tp.base))
	m := map[[2]int]map[string][]int{}
	m[[2]int{1, 2}] = map[string][]int{"a": {1}}
	m[[2]int{1, 2}]["a"] = append(m[[2]int{1, 2}]["a"], 2)
	m[[2]int{0, 0}]["zz"] = nil
}

func init() {
	defer func() { fmt.Println("init", recover()) }()
	var any1, any2 any = []int{1}, []int{1}
	fmt.Println(any1 == any2)
}

func init() {
	type T struct {
		a int
		_ int
		f any
	}
	fmt.Println(T{1, 2, "x"} == T{1, 3, "x"}, T{f: 1} == T{f: int8(1)})
	var e1, e2 error
	fmt.Println(e1 == e2, e1 == nil)
	var p *int
	var a any = p
	fmt.Println(a == nil, a == (*int)(nil))
	k := map[any]string{1: "int", int8(1): "int8", "1": "s", 1.0: "f", [1]int{1}: "arr", nil: "nil"}
	fmt.Println(k[1], k[int8(1)], k["1"], k[1.0], k[[1]int{1}], k[nil], len(k))
	ch := make(chan int)
	c2 := ch
	fmt.Println(ch == c2, func() int { return 1 } != nil)
	var fn func()
	fmt.Println(fn == nil)
	lab := 0
outer:
	for i := range 3 {
		for j := range 3 {
			switch {
			case j == 1:
				continue outer
			case i == 2:
				break outer
			}
			lab += 10*i + j
		}
	}
	fmt.Println(lab)
	arr := [...]string{3: "d", 1: "b"}
	fmt.Println(len(arr), arr)
	sl := arr[1:3:4]
	sl = append(sl, "q")
	sl = append(sl, "r")
	sl[0] = "changed"
	fmt.Println(arr, sl)
	b := []byte("abc")
	copy(b[1:], "xyz")
	b = append(b, "more"...)
	fmt.Println(string(b))
	var grid [3][4]int
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = i * j
		}
	}
	gp := &grid
	gp[1][1] = 50
	fmt.Println(grid, len(grid[0]), gp[1][1:3])
	st := struct{ in struct{ v []int } }{}
	st.in.v = append(st.in.v, 1)
	cp := st
	cp.in.v[0] = 2
	fmt.Println(st, cp)
	for i, c := range []byte("hi") {
		fmt.Print(i, c, " ")
	}
	for range 2 {
		fmt.Print("r")
	}
	for i := range uint8(3) {
		fmt.Printf("%T%d ", i, i)
	}
	fmt.Println()
}
