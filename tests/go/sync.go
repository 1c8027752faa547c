// Package sync: mutexes, wait groups, conditions, once; their panics, and what copies are.
package main

import (
	"fmt"
	"sync"
	"time"
)

func try(name string, f func()) {
	defer func() {
		x := recover()
		_, isError := x.(error)
		fmt.Println(name, x, isError)
	}()
	f()
}

func worker(wg sync.WaitGroup) { wg.Done() }

func main() {
	var mu sync.Mutex
	fmt.Println(mu.TryLock(), mu.TryLock())
	mu.Unlock()
	mu.Lock()
	c := mu
	fmt.Println(c.TryLock())
	mu.Unlock()
	c.Unlock()
	fmt.Println(c.TryLock(), mu.TryLock())

	var rw sync.RWMutex
	fmt.Println(rw.TryRLock(), rw.TryRLock(), rw.TryLock())
	rw.RUnlock()
	rw.RUnlock()
	fmt.Println(rw.TryLock(), rw.TryRLock(), rw.TryLock())
	rw.Unlock()
	l := rw.RLocker()
	l.Lock()
	fmt.Println(rw.TryLock(), rw.TryRLock())
	l.Unlock()
	rw.RUnlock()

	var wg sync.WaitGroup
	try("negative", func() { wg.Add(-1) })
	wg = sync.WaitGroup{}
	wg.Add(1)
	worker(wg)
	try("copy", func() { wg.Done() })
	wg.Wait()
	n := 0
	for i := range 3 {
		wg.Go(func() {
			mu2 := i
			n += mu2
		})
	}
	wg.Wait()
	fmt.Println(n)

	cond := sync.NewCond(rw.RLocker())
	done := make(chan int, 3)
	for i := range 3 {
		go func() {
			cond.L.Lock()
			cond.Wait()
			done <- i
			cond.L.Unlock()
		}()
		time.Sleep(time.Millisecond)
	}
	cond.Signal()
	fmt.Println(<-done)
	cond.Broadcast()
	fmt.Println(<-done + <-done)
	cond.Signal()
	try("cond", func() {
		d := *cond
		d.Signal()
	})

	var once sync.Once
	try("once", func() { once.Do(func() { panic("first") }) })
	once.Do(func() { fmt.Println("never") })
	calls := 0
	v := sync.OnceValue(func() int { calls++; return 42 })
	fmt.Println(v(), v(), calls)
	a, b := sync.OnceValues(func() (int, error) { return 1, fmt.Errorf("e") })()
	fmt.Println(a, b)
	f := sync.OnceFunc(func() { calls++; panic("again") })
	try("func", f)
	try("func", f)
	fmt.Println(calls)
	try("unlock of nothing", func() {
		var p *sync.WaitGroup
		defer fmt.Println("before")
		p.Add(0)
	})
}
