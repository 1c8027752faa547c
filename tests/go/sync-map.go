// sync.Map and sync.Pool.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var m sync.Map
	fmt.Println(m.Load("a"))
	m.Store("a", 1)
	fmt.Println(m.Load("a"))
	fmt.Println(m.LoadOrStore("a", 2))
	fmt.Println(m.LoadOrStore("b", 2))
	fmt.Println(m.Swap("b", 3))
	fmt.Println(m.Swap("c", 4))
	fmt.Println(m.CompareAndSwap("c", 5, 6), m.CompareAndSwap("c", 4, 6), m.CompareAndSwap("d", nil, 6))
	fmt.Println(m.CompareAndDelete("c", 5), m.CompareAndDelete("c", 6), m.CompareAndDelete("d", nil))
	fmt.Println(m.LoadAndDelete("a"))
	fmt.Println(m.LoadAndDelete("a"))
	m.Delete("z")
	sum, n := 0, 0
	for i := range 10 {
		m.Store(i, i)
	}
	m.Range(func(k, v any) bool {
		sum += v.(int)
		n++
		m.Delete(k)
		m.Store("later", 0)
		return true
	})
	fmt.Println(sum, n >= 11)
	n = 0
	m.Range(func(k, v any) bool { n++; return false })
	fmt.Println(n)
	m.Clear()
	fmt.Println(m.Load("b"))
	func() {
		defer func() { fmt.Println(recover()) }()
		m.Store([]int{1}, 2)
	}()
	var none sync.Map
	none.Range(func(k, v any) bool { return true })

	var p sync.Pool
	fmt.Println(p.Get())
	p.Put(nil)
	p.Put(1)
	p.Put(2)
	p.Put(3)
	fmt.Println(p.Get(), p.Get(), p.Get(), p.Get())
	made := 0
	p.New = func() any { made++; return -made }
	fmt.Println(p.Get(), p.Get())
	p.Put("kept")
	p.Put("shared")
	runtime.GC()
	fmt.Println(p.Get(), p.Get(), p.Get())
	p.Put("dropped")
	runtime.GC()
	runtime.GC()
	fmt.Println(p.Get())
}
