// A worker that finds nothing to do is never done.
// finds: waits for wg (1 more call of Done needed)
// clean with: return // empty -> wg.Done(); return

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	jobs := make(chan int, 1)
	jobs <- 1
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			select {
			case <-jobs:
			default:
				return // empty
			}
			wg.Done()
		}()
	}
	wg.Wait()
}
