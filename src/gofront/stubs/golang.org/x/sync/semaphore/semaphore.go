// Package semaphore: Gs wait in the order in which they came, each for a channel of its own.
package semaphore

import (
	"context"
	"sync"
)

type waiter struct {
	n     int64
	ready chan struct{} // closed when it has what it waits for
}

type Weighted struct {
	size, cur int64
	mu        sync.Mutex
	waiters   []*waiter
}

func NewWeighted(n int64) *Weighted { return &Weighted{size: n} }

func (s *Weighted) has(n int64) bool { return s.size-s.cur >= n && len(s.waiters) == 0 }

func (s *Weighted) Acquire(ctx context.Context, n int64) error {
	done := ctx.Done()
	s.mu.Lock()
	select {
	case <-done:
		s.mu.Unlock()
		return ctx.Err()
	default:
	}
	if s.has(n) {
		s.cur += n
		s.mu.Unlock()
		return nil
	}
	if n > s.size { // never: it waits for the context alone
		s.mu.Unlock()
		<-done
		return ctx.Err()
	}
	w := &waiter{n, make(chan struct{})}
	s.waiters = append(s.waiters, w)
	s.mu.Unlock()
	select {
	case <-done:
		s.mu.Lock()
		select {
		case <-w.ready: // both at once: as if it had never come
			s.cur -= n
			s.admit()
		default:
			first := s.waiters[0] == w
			s.remove(w)
			if first && s.size > s.cur {
				s.admit()
			}
		}
		s.mu.Unlock()
		return ctx.Err()
	case <-w.ready:
		select {
		case <-done:
			s.Release(n)
			return ctx.Err()
		default:
		}
		return nil
	}
}

func (s *Weighted) TryAcquire(n int64) bool {
	s.mu.Lock()
	ok := s.has(n)
	if ok {
		s.cur += n
	}
	s.mu.Unlock()
	return ok
}

func (s *Weighted) Release(n int64) {
	s.mu.Lock()
	s.cur -= n
	if s.cur < 0 {
		s.mu.Unlock()
		panic("semaphore: released more than held")
	}
	s.admit()
	s.mu.Unlock()
}

func (s *Weighted) remove(w *waiter) {
	for i := range s.waiters {
		if s.waiters[i] == w {
			s.waiters = append(s.waiters[:i], s.waiters[i+1:]...)
			return
		}
	}
}

// admit gives what is free to those who came first. A large one in front keeps small ones waiting, so that it does not starve.
func (s *Weighted) admit() {
	for len(s.waiters) > 0 {
		w := s.waiters[0]
		if s.size-s.cur < w.n {
			return
		}
		s.cur += w.n
		s.waiters = s.waiters[1:]
		close(w.ready)
	}
}
