// A worker that must stop calls Done twice.
// finds: panic: sync: negative WaitGroup counter
// clean with: wg.Done() // stopped -> _ = 0

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	stop := make(chan bool, 1)
	stop <- true
	wg.Add(1)
	go func() {
		defer wg.Done()
		select {
		case <-stop:
			wg.Done() // stopped
		default:
		}
	}()
	wg.Wait()
}
