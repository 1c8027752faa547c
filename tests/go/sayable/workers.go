package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

var total int64

const workers = 3

func worker(id int, jobs <-chan int, results chan<- int, wg *sync.WaitGroup, mu *sync.Mutex) {
	defer wg.Done()
	for j := range jobs {
		mu.Lock()
		fmt.Println("worker", id, "has job", j)
		mu.Unlock()
		atomic.AddInt64(&total, int64(j))
		results <- square(j)
		runtime.Gosched()
	}
}

func square(n int) int {
	switch {
	case n > 100:
		return -1
	case n == 0:
		return 0
	}
	return n * n
}

func main() {
	jobs := make(chan int, 4)
	results := make(chan int, 16)
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Add(workers)
	for w := 1; w <= workers; w++ {
		go worker(w, jobs, results, &wg, &mu)
	}
	for j := 0; j < 6; j++ {
		if j == 4 {
			continue
		}
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	close(results)
	sum, n := 0, 0
	for r := range results {
		sum += r
		n++
	}
	fmt.Printf("%d results, sum %d, total %v, 100%%\n", n, sum, atomic.LoadInt64(&total))
	a, b := 1, 2
	a, b = b, a
	if -a+b*3 == 1 && a > b {
		fmt.Println(a, b, "{braces}")
	}
}
