package main

import (
	"errors"
	"fmt"
	"sync"
)

func t(s string) string     { fmt.Print(s, " "); return s }
func n(s string, v int) int { fmt.Print(s, " "); return v }

type S struct{ a, b int }

func (s *S) ptr() *S                  { fmt.Print("ptr "); return s }
func (s S) get() int                  { return s.a }
func (s *S) set(v int)                { s.a = v }
func two() (int, string)              { return 1, "x" }
func vari(p string, xs ...int) string { return fmt.Sprint(p, len(xs), xs) }

type E struct{ S }
type I interface{ get() int }

var ErrX = errors.New("x")

func d() (r int) {
	defer func() { r *= 2 }()
	for i := 0; i < 3; i++ {
		defer func(n int) { r += n }(i)
	}
	return 10
}
func rec() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("rec: %v", r)
		}
	}()
	var a []int
	i := 5
	_ = a[i]
	return nil
}

type Shape interface {
	Area() float64
	Perimeter() float64
}
type Rect struct{ w, h float64 }

func (r Rect) Area() float64      { return r.w * r.h }
func (r Rect) Perimeter() float64 { return 2 * (r.w + r.h) }

func main() {
	// order
	m := map[string]int{}
	m[t("k")] = n("v", 1)
	arr := [3]int{n("0", 0), n("1", 1), n("2", 2)}
	_ = S{b: n("b", 1), a: n("a", 2)}
	fmt.Println(arr, m)
	x := 1
	y := x + func() int { x = 5; return x }()
	fmt.Println(x, y)
	i := 0
	a := []int{10, 20, 30}
	i, a[i] = 2, 99
	fmt.Println(i, a)
	a[0], a[1], a[2] = a[2], a[0], a[1]
	fmt.Println(a)
	p := &S{1, 2}
	p.ptr().a = n("rhs", 9)
	fmt.Println(*p)
	// copies
	s1 := S{1, 2}
	s2 := s1
	s2.a = 9
	ps := &s1
	ps.set(7)
	f := s1.get
	s1.a = 100
	fmt.Println(s1, s2, f(), S.get(s1), E{s1}.get())
	var ii I = s1
	s1.a = 5
	fmt.Println(ii.get(), ii)
	aa := [2][2]int{{1, 2}, {3, 4}}
	bb := aa
	bb[0][1] = 50
	for _, row := range aa {
		row[0] = 77
	}
	fmt.Println(aa, bb, aa == bb, len(aa[0]))
	mm := map[S]string{{1, 2}: "a"}
	fmt.Println(mm[S{1, 2}], mm)
	ms := map[string]*S{"p": {1, 2}}
	ms["p"].a++
	fmt.Println(*ms["p"])
	sl := []S{{1, 2}, {3, 4}}
	for i := range sl {
		sl[i].a *= 10
	}
	for _, s := range sl {
		s.a = 0
	}
	fmt.Println(sl)
	fmt.Println(vari("a"), vari("b", 1, 2), vari("c", a...))
	fmt.Println(d(), rec())
	// const
	const big = 1 << 100
	const (
		A = iota * 10
		B
		_
		C
	)
	type W int
	const (
		Mon W = iota + 1
		Tue
	)
	fmt.Println(big>>98, A, B, C, Mon, Tue, 7.0/2, 7/2, 1e3)
	var u uint8 = 200
	var sh uint = 9
	fmt.Println(u<<1, u>>3, 1<<sh, int8(u), -5>>1, ^u, u+100, uint32(1)<<31)
	var i32 int32 = -7
	fmt.Println(i32/2, i32%3, uint32(i32), int64(i32), float32(i32)/3, int(-2.9+0.0*float64(i32)))
	// closures
	var fs [3]func() int
	for i := range fs {
		fs[i] = func() int { i++; return i }
	}
	fmt.Println(fs[0](), fs[0](), fs[1]())
	acc := 0
	add := func(v int) func() int { return func() int { acc += v; return acc } }
	fmt.Println(add(1)(), add(2)(), acc)
	// switch
	switch x := interface{}(3.5).(type) {
	case int, string:
		fmt.Printf("%T\n", x)
	case float64:
		fmt.Println("f", x+1)
	}
	switch v := n("sw", 3); {
	case v > 2:
		fmt.Println("big")
		fallthrough
	case v > 100:
		fmt.Println("huge")
	default:
		fmt.Println("no")
	}
	switch {
	default:
		fmt.Println("default first")
	case x == 5:
		fmt.Println("x5")
	}
	// labels
L:
	for {
		switch {
		case true:
			break L
		}
	}
	{
		if x == 5 {
			_ = x
		}
		fmt.Println("never")
	}
	// goto
	k := 0
again:
	k++
	if k < 3 {
		goto again
	}
	fmt.Println(k)
	// select
	c1, c2 := make(chan int, 1), make(chan string, 1)
	c1 <- 4
	res := map[string]int{}
	var ok bool
	select {
	case res["v"], ok = <-c1:
	case s := <-c2:
		fmt.Println(s)
	}
	fmt.Println(res, ok)
	select {
	case c1 <- n("send", 8):
	default:
	}
	close(c1)
	v, ok := <-c1
	w, ok2 := <-c1
	fmt.Println(v, ok, w, ok2, len(c1), cap(c1))
	var nilc chan int
	select {
	case <-nilc:
	default:
		fmt.Println("nil chan")
	}
	// strings
	str := "aé世\xff"
	for i, r := range str {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println(len(str), []byte(str)[1], str[1:3], []rune(str))
	for i := range "ab" {
		fmt.Print(i)
	}
	fmt.Println()
	// anonymous structs, embedded
	pt := struct {
		X, Y int
		sync.Mutex
	}{X: 1}
	pt.Lock()
	pt.Y = 5
	pt.Unlock()
	fmt.Println(pt.X, pt.Y)
	var sp Shape = Rect{3, 4}
	if r, ok := sp.(Rect); ok {
		fmt.Println(r.w, sp.Area(), sp.Perimeter())
	}
	shapes := []Shape{Rect{1, 2}, &Rect{2, 3}}
	for _, s := range shapes {
		fmt.Printf("%T %v\n", s, s.Area())
	}
	a1, b1 := two()
	fmt.Println(a1, b1)
	fmt.Println(two())
	var e1 error = ErrX
	fmt.Println(e1 == ErrX, errors.Is(fmt.Errorf("w: %w", ErrX), ErrX))
	var arr2 [5]int
	arrp := &arr2
	arrp[2] = 3
	for i, v := range arrp {
		if v != 0 {
			fmt.Println(i, v)
		}
	}
	fmt.Println(len(arrp), arrp[1:3], cap(arr2[1:3]))
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		var np *S
		fmt.Println(np.a)
	}()
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		var q interface{} = "s"
		_ = q.(int)
	}()
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		zero := 0
		fmt.Println(1 / zero)
	}()
	defer fmt.Println("deferred", t("now"))
	defer func() {
		defer func() { fmt.Println("inner", recover()) }()
		panic("second")
	}()
	type node struct {
		next *node
		v    int
	}
	var head *node
	for i := 0; i < 3; i++ {
		head = &node{head, i}
	}
	for n := head; n != nil; n = n.next {
		fmt.Print(n.v, " ")
	}
	fmt.Println()
	x, z := 3, 4
	fmt.Println(x, z)
}
