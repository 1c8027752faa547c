// Nobody closes the channel over which the worker ranges.
// finds: leak: work (never-closed.go:10) waits to receive from jobs
// clean with: wg.Wait() -> wg.Wait(); close(jobs)

package main

import "sync"

func work(jobs chan int, wg *sync.WaitGroup) {
	for range jobs {
		wg.Done()
	}
}

func main() {
	var wg sync.WaitGroup
	jobs := make(chan int)
	go work(jobs, &wg)
	for i := 0; i < 3; i++ {
		wg.Add(1)
		jobs <- i
	}
	wg.Wait()
}
