// Three workers take jobs from one channel and send results to another.
package main

import (
	"fmt"
	"sync"
)

type job struct {
	id   int
	work func(int) int
}

type result struct{ job, worker, value int }

func worker(id int, jobs <-chan job, results chan<- result, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		results <- result{j.id, id, j.work(j.id)}
	}
}

func main() {
	jobs, results := make(chan job, 4), make(chan result)
	var wg sync.WaitGroup
	for w := 1; w <= 3; w++ {
		wg.Add(1)
		go worker(w, jobs, results, &wg)
	}
	go func() {
		for i := 0; i < 9; i++ {
			jobs <- job{i, func(n int) int { return n*n + i }}
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	sum := 0
	for r := range results {
		fmt.Printf("worker %d did job %d: %d\n", r.worker, r.job, r.value)
		sum += r.value
	}
	fmt.Println("sum", sum)
}
