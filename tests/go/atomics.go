// sync/atomic: functions and types.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type settings struct{ level int }

func main() {
	var n int64
	var u uint32
	var hits atomic.Int32
	var flag atomic.Bool
	var p atomic.Pointer[settings]
	var v atomic.Value
	var wg sync.WaitGroup
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			atomic.AddInt64(&n, int64(i))
			atomic.AddUint32(&u, ^uint32(0))
			hits.Add(1)
			if flag.CompareAndSwap(false, true) {
				fmt.Println("first is", i)
			}
		}()
	}
	wg.Wait()
	fmt.Println(atomic.LoadInt64(&n), u, hits.Load(), flag.Load())
	fmt.Println(atomic.CompareAndSwapInt64(&n, 45, 7), atomic.SwapInt64(&n, 8), n)
	atomic.StoreInt64(&n, -1)
	fmt.Println(n, atomic.AddInt64(&n, 1))
	fmt.Println(p.Load() == nil, p.Swap(&settings{1}) == nil, p.Load().level)
	old := p.Load()
	fmt.Println(p.CompareAndSwap(old, &settings{2}), p.CompareAndSwap(old, &settings{3}), p.Load().level)
	fmt.Println(v.Load() == nil)
	v.Store([]string{"a"})
	fmt.Println(v.Load().([]string)[0])
	var u64 atomic.Uint64
	u64.Store(5)
	fmt.Println(u64.Add(^uint64(0)), u64.Swap(1), u64.CompareAndSwap(1, 2), u64.Load())
	var i64 atomic.Int64
	fmt.Println(i64.And(3), i64.Or(6), i64.Load())
}
