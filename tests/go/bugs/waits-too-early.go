// A worker that main has not heard of yet counts itself in, while main may already wait: nothing orders the two.
// finds: data race on stopper.workers: G
// finds: panic: sync: WaitGroup
// clean with: heard = 1 -> heard = 2

package main

import "sync"

const heard = 1

type stopper struct{ workers sync.WaitGroup }

func (s *stopper) start(f func()) {
	s.workers.Add(1)
	go func() {
		defer s.workers.Done()
		f()
	}()
}

func main() {
	var s stopper
	begun := make(chan bool, 2)
	for i := 0; i < 2; i++ {
		go func() {
			s.start(func() {})
			begun <- true
		}()
	}
	for i := 0; i < heard; i++ {
		<-begun
	}
	s.workers.Wait()
}
