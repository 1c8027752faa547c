package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var n atomic.Int32
	var mu sync.RWMutex
	done := make(chan struct{})
	t := time.NewTimer(time.Millisecond)
	for i := 0; i < 3; i++ {
		go func() {
			mu.RLock()
			n.Add(int32(i))
			mu.RUnlock()
			if i == 2 {
				close(done)
			}
		}()
	}
	mu.Lock()
	n.CompareAndSwap(3, 4)
	mu.Unlock()
	select {
	case <-t.C:
	case <-done:
	}
	for n.Load() < 3 {
	}
	time.Sleep(1)
}
