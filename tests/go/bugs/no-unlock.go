// The way out for a closed store forgets to unlock.
// finds: it has ended and never unlocks it
// clean with: return // closed -> s.mu.Unlock(); return

package main

import "sync"

type store struct {
	mu     sync.Mutex
	closed bool
	n      int
}

func (s *store) add(wg *sync.WaitGroup) {
	defer wg.Done()
	s.mu.Lock()
	if s.closed {
		return // closed
	}
	s.n++
	s.mu.Unlock()
}

func (s *store) close(wg *sync.WaitGroup) {
	defer wg.Done()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

func main() {
	var s store
	var wg sync.WaitGroup
	wg.Add(3)
	go s.add(&wg)
	go s.close(&wg)
	go s.add(&wg)
	wg.Wait()
}
