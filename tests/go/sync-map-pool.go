// sync.Map and sync.Pool.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var m sync.Map
	m.Store("a", 1)
	m.Store("b", 2)
	v, ok := m.Load("a")
	fmt.Println(v, ok)
	v, ok = m.Load("none")
	fmt.Println(v, ok)
	v, loaded := m.LoadOrStore("a", 100)
	fmt.Println(v, loaded)
	v, loaded = m.LoadOrStore("c", 3)
	fmt.Println(v, loaded)
	v, loaded = m.LoadAndDelete("b")
	fmt.Println(v, loaded)
	m.Delete("none")
	sum := 0
	m.Range(func(k, v any) bool { sum += v.(int); return true })
	fmt.Println(sum)
	fmt.Println(m.CompareAndSwap("a", 1, 5), m.CompareAndSwap("a", 1, 6))
	fmt.Println(m.Swap("a", 9))
	fmt.Println(m.CompareAndDelete("a", 1), m.CompareAndDelete("a", 9))
	m.Clear()
	_, ok = m.Load("c")
	fmt.Println(ok)
	made := 0
	pool := sync.Pool{New: func() any { made++; return new([]int) }}
	x := pool.Get().(*[]int)
	*x = append(*x, 1)
	pool.Put(x)
	y := pool.Get().(*[]int)
	fmt.Println(x == y, *y, made)
	pool.Get()
	fmt.Println(made)
	var none sync.Pool
	fmt.Println(none.Get())
}
