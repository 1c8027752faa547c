// Package sync/atomic.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type node struct{ n int }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	var i32 atomic.Int32
	var u32 atomic.Uint32
	var i64 atomic.Int64
	var u64 atomic.Uint64
	var up atomic.Uintptr
	fmt.Println(i32.Add(1<<31-1), i32.Add(1), u32.Add(^uint32(0)), u32.Add(1), i64.Add(-5), u64.Add(^uint64(0)), up.Add(7))
	fmt.Println(i32.Swap(3), i32.CompareAndSwap(4, 5), i32.CompareAndSwap(3, 6), i32.Load(), i32.And(4), i32.Or(3), i32.Load())
	u32.Store(0xf0f0)
	fmt.Println(u32.And(0xff), u32.Or(1), u32.Load(), u64.And(15), u64.Load(), i64.Or(1), i64.Load())
	var b atomic.Bool
	fmt.Println(b.Load(), b.Swap(true), b.CompareAndSwap(false, true), b.CompareAndSwap(true, false), b.Load())
	var p atomic.Pointer[node]
	one, two := &node{1}, &node{2}
	fmt.Println(p.Load() == nil, p.CompareAndSwap(one, two), p.CompareAndSwap(nil, one), p.Load().n, p.Swap(two).n, p.CompareAndSwap(two, nil), p.Load())
	fmt.Println(p.CompareAndSwap(nil, two), p.Load() == two)
	p.Store(nil)
	fmt.Println(p.Load() == nil)
	var v atomic.Value
	fmt.Println(v.Load(), v.CompareAndSwap(nil, "a"), v.Load(), v.CompareAndSwap("b", "c"), v.CompareAndSwap("a", "c"), v.Swap("d"), v.Load())
	try(func() { v.Store(1) })
	try(func() { v.Store(nil) })
	try(func() { v.Swap(1) })
	try(func() { v.Swap(nil) })
	try(func() { v.CompareAndSwap("d", 1) })
	try(func() { v.CompareAndSwap(1, 2) })
	try(func() { v.CompareAndSwap("d", nil) })
	type pair struct{ a, b int }
	var w atomic.Value
	w.Store(pair{1, 2})
	fmt.Println(w.CompareAndSwap(pair{1, 2}, pair{3, 4}), w.Load())
	var l atomic.Value
	l.Store([]int{1})
	try(func() { l.CompareAndSwap([]int{1}, []int{2}) })
	n := int64(5)
	atomic.StoreInt64(&n, 7)
	fmt.Println(atomic.AddInt64(&n, 1), atomic.LoadInt64(&n), atomic.SwapInt64(&n, 2), atomic.CompareAndSwapInt64(&n, 2, 3), atomic.AndInt64(&n, 1), n)
	var none *int32
	try(func() { atomic.AddInt32(none, 1) })
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 100 {
				i64.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(i64.Load())
}
