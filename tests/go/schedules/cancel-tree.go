// Children of a cancelled context end in any order.
package main

import (
	"context"
	"fmt"
	"sync"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	var mu sync.Mutex
	order := ""
	for i := 0; i < 3; i++ {
		wg.Add(1)
		child, stop := context.WithCancel(ctx)
		go func() {
			defer wg.Done()
			defer stop()
			<-child.Done()
			mu.Lock()
			order += fmt.Sprint(i)
			mu.Unlock()
		}()
	}
	cancel()
	wg.Wait()
	fmt.Println(order)
}
