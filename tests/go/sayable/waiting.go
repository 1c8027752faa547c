package main

import (
	"context"
	"fmt"
	"math/rand"
	"sync"
	"time"
)

var (
	mu    sync.Mutex
	ready = sync.NewCond(&mu)
	rw    sync.RWMutex
	open  bool
	setup sync.Once
	fork  [2]sync.Mutex
)

func careful(n int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("recovered", n)
		}
	}()
	setup.Do(func() { fmt.Println("set up once") })
	if n == 2 {
		panic("two")
	}
	fmt.Println("careful", n)
}

func waiter(ctx context.Context, done chan bool) {
	<-ctx.Done()
	fmt.Println("cancelled")
	done <- true
}

func main() {
	done := make(chan bool)
	values := make(chan int)
	ctx, cancel := context.WithCancel(context.Background())
	short, stop := context.WithTimeout(ctx, 30*time.Millisecond)
	defer stop()
	go waiter(ctx, done)
	go func() {
		mu.Lock()
		for !open {
			ready.Wait()
		}
		mu.Unlock()
		fmt.Println("open")
		done <- true
	}()
	for n := range 3 {
		careful(n + 1)
	}
	mu.Lock()
	open = true
	ready.Broadcast()
	mu.Unlock()
	<-done
	cancel()
	<-done
	<-short.Done()
	ticker := time.NewTicker(20 * time.Millisecond)
	timer := time.NewTimer(time.Hour)
	ticks := 0
loop:
	for {
		select {
		case <-ticker.C:
			ticks++
			if ticks == 3 {
				break loop
			}
		case <-timer.C:
			fmt.Println("never")
		}
	}
	ticker.Stop()
	if timer.Stop() {
		fmt.Println("ticks", ticks)
	}
	select {
	case v, ok := <-values:
		if ok {
			fmt.Println("never", v)
		}
	case <-time.After(10 * time.Millisecond):
		fmt.Println("timeout")
	}
	alarm := time.AfterFunc(10*time.Millisecond, func() {
		values <- rand.Intn(1)
		close(values)
	})
	fmt.Println("value", <-values)
	_, more := <-values
	stopped := alarm.Stop()
	if !more && !stopped {
		fmt.Println("closed")
	}
	rw.RLock()
	if rw.TryRLock() {
		rw.RUnlock()
	}
	rw.RUnlock()
	for k := 0; k < 2; k++ {
		fork[k].Lock()
		go func() {
			fmt.Println("fork", k)
			fork[k].Unlock()
			done <- true
		}()
		<-done
	}
	var none chan int
	select {
	case <-none:
	default:
		fmt.Println("end")
	}
}
