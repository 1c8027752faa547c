// A pool looks whether its queue is empty, and sleeps after it has unlocked: a job that comes in between wakes nobody.
// finds: deadlock: (*pool).work (lost-wake-up.go:25) waits to receive from wake; main (lost-wake-up.go:54) waits for pool.done
// clean with: wake := make(chan bool) -> wake := make(chan bool, 8)

package main

import (
	"fmt"
	"sync"
)

type pool struct {
	mu   sync.Mutex
	jobs []int
	wake chan bool
	done sync.WaitGroup
}

func (p *pool) work() {
	defer p.done.Done()
	for {
		p.mu.Lock()
		for len(p.jobs) == 0 {
			p.mu.Unlock()
			<-p.wake
			p.mu.Lock()
		}
		job := p.jobs[0]
		p.jobs = p.jobs[1:]
		p.mu.Unlock()
		if job < 0 {
			return
		}
	}
}

func (p *pool) put(job int) {
	p.mu.Lock()
	p.jobs = append(p.jobs, job)
	p.mu.Unlock()
	select {
	case p.wake <- true:
	default: // nobody sleeps
	}
}

func main() {
	wake := make(chan bool)
	p := &pool{wake: wake}
	p.done.Add(1)
	go p.work()
	p.put(1)
	p.put(-1)
	p.done.Wait()
	fmt.Println("done")
}
