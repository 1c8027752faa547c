// Each goroutine has a channel without a name of its own, and one of them sends what nobody receives: whichever it is, it is one kind of leak.
// finds: leak: main.func1.1 (never-asked-for.go:22) waits to send on channel ?
// clean with: n == 2 -> n == 9

package main

import "sync"

func fresh() chan int { return make(chan int) }

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 4 {
		wg.Go(func() {
			c := fresh()
			mu.Lock()
			defer mu.Unlock()
			n++
			if n == 2 {
				go func() { c <- 1 }()
			}
		})
	}
	wg.Wait()
}
