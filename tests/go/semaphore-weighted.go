// A weighted semaphore serves its waiters in their order.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

func main() {
	ctx := context.Background()
	s := semaphore.NewWeighted(3)
	fmt.Println(s.TryAcquire(2), s.TryAcquire(2))
	var wg sync.WaitGroup
	for i := 1; i <= 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := s.Acquire(ctx, int64(i)); err != nil {
				fmt.Println(i, err)
				return
			}
			fmt.Println(i, "has", i)
			time.Sleep(10 * time.Millisecond)
			s.Release(int64(i))
		}()
	}
	time.Sleep(10 * time.Millisecond)
	s.Release(2)
	wg.Wait()
	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	s.Acquire(ctx, 3)
	fmt.Println(s.Acquire(short, 1))
	s.Release(3)
	fmt.Println(s.TryAcquire(3))
}
