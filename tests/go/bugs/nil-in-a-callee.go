// The G that serves is given no store, because the other one takes it away first. The line is that of the callee, where the panic begins.
// finds: panic: runtime error: invalid memory address or nil pointer dereference: main.func1 (nil-in-a-callee.go:15)
// clean with: s = nil -> _ = s

package main

import "sync"

type store struct{ n int }

func (s *store) get() int {
	if s == nil {
		defer func() {}()
	}
	return s.n
}

func main() {
	var mu sync.Mutex
	s := &store{1}
	done := make(chan bool)
	go func() {
		mu.Lock()
		s.get()
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	s = nil
	mu.Unlock()
	<-done
}
