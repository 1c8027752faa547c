// Two Gs find the channel open, and both close it.
// finds: panic: close of closed channel
// clean with: once := false -> once := true

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	var one sync.Once
	done := make(chan bool)
	once := false
	wg.Add(2)
	for i := 0; i < 2; i++ {
		go func() {
			defer wg.Done()
			if once {
				one.Do(func() { close(done) })
				return
			}
			select {
			case <-done:
			default:
				close(done)
			}
		}()
	}
	wg.Wait()
}
