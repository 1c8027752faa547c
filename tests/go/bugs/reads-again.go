// A reader reads again while a writer waits in between.
// finds: main.func2 (reads-again.go:15) waits to read-lock stats.mu, behind main.func1
// clean with: return s.one() -> return s.n

package main

import "sync"

type stats struct {
	mu sync.RWMutex
	n  int
}

func (s *stats) one() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.n
}

func (s *stats) all() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.one()
}

func main() {
	var s stats
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.mu.Lock()
		s.n++
		s.mu.Unlock()
	}()
	go func() {
		defer wg.Done()
		s.all()
	}()
	wg.Wait()
}
