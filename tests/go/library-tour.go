package main

import (
	"bytes"
	"container/heap"
	"container/list"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

type IntHeap []int

func (h IntHeap) Len() int           { return len(h) }
func (h IntHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h IntHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *IntHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *IntHeap) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

type P struct {
	n string
	a int
}

func main() {
	fmt.Println(strings.Split("a,b,c", ","), strings.Fields("  a b  c "), strings.Join([]string{"x", "y"}, "-"))
	fmt.Println(strings.ToUpper("héllo"), strings.Repeat("ab", 3), strings.Replace("oink oink oink", "k", "ky", 2), strings.ReplaceAll("aaa", "a", "b"))
	fmt.Println(strings.Contains("seafood", "foo"), strings.Index("chicken", "ken"), strings.TrimSpace("  x "), strings.Trim("xxhixx", "x"), strings.Title("hello world"))
	fmt.Printf("%q %q\n", strings.SplitN("a,b,c", ",", 2), strings.Split("", ","))
	fmt.Println(strings.HasPrefix("abc", "ab"), strings.Count("cheese", "e"), strings.Count("abc", ""), strings.LastIndex("go gopher", "go"))
	var sb strings.Builder
	for i := 3; i >= 1; i-- {
		fmt.Fprintf(&sb, "%d...", i)
	}
	sb.WriteByte('!')
	sb.WriteRune('é')
	sb.WriteString("x")
	fmt.Println(sb.String(), sb.Len())
	fmt.Println(strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace("<b>"))
	fmt.Println(strings.EqualFold("Go", "GO"), strings.Map(func(r rune) rune { return r + 1 }, "abc"))
	n, err := strconv.Atoi("12x")
	fmt.Println(n, err)
	_, err = strconv.Atoi("")
	fmt.Println(err)
	_, err = strconv.ParseInt("99999999999999999999", 10, 64)
	fmt.Println(err, errors.Is(err, strconv.ErrRange))
	v, err := strconv.ParseInt("-7f", 16, 8)
	fmt.Println(v, err)
	f, err := strconv.ParseFloat("3.25", 64)
	fmt.Println(f, err, strconv.Quote("a\tb"), strconv.FormatInt(-255, 16), strconv.Itoa(-9), strconv.FormatFloat(1.5, 'f', -1, 64), strconv.FormatFloat(1234567.5, 'e', 3, 64))
	b, err := strconv.ParseBool("maybe")
	fmt.Println(b, err)
	xs := []int{5, 2, 8, 1, 9, 3, 7, 3, 6, 5, 4, 11, 20, 15, 12}
	sort.Ints(xs)
	fmt.Println(xs, sort.SearchInts(xs, 8))
	ps := []P{}
	for i := 0; i < 40; i++ {
		ps = append(ps, P{string(rune('a' + i%26)), (i * 7) % 5})
	}
	qs := append([]P(nil), ps...)
	sort.Slice(ps, func(i, j int) bool { return ps[i].a < ps[j].a })
	sort.SliceStable(qs, func(i, j int) bool { return qs[i].a < qs[j].a })
	fmt.Println(ps)
	fmt.Println(qs)
	ss := sort.StringSlice{"b", "c", "a"}
	sort.Sort(sort.Reverse(ss))
	fmt.Println(ss)
	h := &IntHeap{5, 2, 8}
	heap.Init(h)
	heap.Push(h, 3)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(h), " ")
	}
	fmt.Println()
	l := list.New()
	l.PushBack(4)
	l.PushFront(1)
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	fmt.Println(math.Sqrt(2), math.MaxInt64, math.Pow(2, 10), math.Inf(1), math.NaN(), math.Floor(-1.5), math.Abs(-3), math.Pow(1.1, 7), math.MaxUint32)
	var buf bytes.Buffer
	buf.WriteString("hi ")
	fmt.Fprintf(&buf, "%d", 3)
	fmt.Println(buf.String(), unicode.IsUpper('A'), unicode.IsLetter('x'), unicode.IsSpace(' '))
	lg := log.New(os.Stdout, "p: ", 0)
	lg.Println("x", 1)
	lg.Printf("y %d", 2)
	fmt.Println(math.Hypot(3, 4), math.Trunc(2.7), math.Mod(7, 3), math.Max(3, 4), math.Round(2.5), math.Pi)
}
