// Signal wakes one waiter, Broadcast the rest: in which order do they get the lock?
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var wg sync.WaitGroup
	ready, waiting, order := false, 0, ""
	for _, s := range []string{"a", "b", "c"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			waiting++
			order += s
			for !ready {
				cond.Wait()
			}
			order += "-" + s
			mu.Unlock()
		}()
	}
	for done := false; !done; {
		mu.Lock()
		if waiting == 3 {
			ready, done = true, true
			cond.Signal()
			cond.Broadcast()
		}
		mu.Unlock()
	}
	wg.Wait()
	fmt.Println(order)
}
