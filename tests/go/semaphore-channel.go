// A buffered channel as a semaphore: at most two at once.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	slots := make(chan struct{}, 2)
	var wg sync.WaitGroup
	var mu sync.Mutex
	active, most := 0, 0
	for i := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			mu.Lock()
			active++
			most = max(most, active)
			mu.Unlock()
			fmt.Println("start", i)
			time.Sleep(time.Duration(10+i) * time.Millisecond)
			fmt.Println("end", i)
			mu.Lock()
			active--
			mu.Unlock()
		}()
	}
	wg.Wait()
	fmt.Println("at most", most)
}
