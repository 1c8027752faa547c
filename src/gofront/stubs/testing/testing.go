// Package testing, as far as a test of one function needs it: goroutines, channels and order are those of Go's own. What a test logs is printed at once.
package testing

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// TB is what T has in common with what a helper may be given.
type TB interface {
	Cleanup(func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Skip(args ...any)
	Skipf(format string, args ...any)
	SkipNow()
	Skipped() bool
}

// slots lets as many parallel tests run as there were Ps.
type slots struct {
	mu            sync.Mutex
	most, running int
	waiting       int
	next          chan bool
}

func (s *slots) take() {
	s.mu.Lock()
	if s.running < s.most {
		s.running++
		s.mu.Unlock()
		return
	}
	s.waiting++
	s.mu.Unlock()
	<-s.next
}

func (s *slots) give() {
	s.mu.Lock()
	if s.waiting == 0 {
		s.running--
		s.mu.Unlock()
		return
	}
	s.waiting--
	s.mu.Unlock()
	s.next <- true
}

type T struct {
	name                            string
	parent                          *T
	slots                           *slots
	mu                              sync.Mutex // of what follows
	failed, skipped, finished, done bool
	cleanups                        []func()
	parallel                        bool
	barrier                         chan bool // closed when the parallel parts may run
	signal                          chan bool // it has ended, or has become parallel
	sub                             []*T      // parallel parts
	ctx                             context.Context
	cancel                          context.CancelFunc
}

func newT(name string, parent *T, s *slots) *T {
	t := &T{name: name, parent: parent, slots: s, barrier: make(chan bool), signal: make(chan bool, 1)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

func (t *T) Name() string             { return t.name }
func (t *T) Helper()                  {}
func (t *T) Context() context.Context { return t.ctx }

func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skipped
}

func (t *T) Fail() {
	if t.parent != nil {
		t.parent.Fail()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done {
		panic("Fail in goroutine after " + t.name + " has completed")
	}
	t.failed = true
}

// FailNow ends the goroutine that calls it, which need not be that of the test.
func (t *T) FailNow() {
	t.Fail()
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
	runtime.Goexit()
}

func (t *T) SkipNow() {
	t.mu.Lock()
	t.skipped = true
	t.finished = true
	t.mu.Unlock()
	runtime.Goexit()
}

func (t *T) log(s string) {
	t.mu.Lock()
	done := t.done
	t.mu.Unlock()
	if done {
		panic("Log in goroutine after " + t.name + " has completed: " + s)
	}
	fmt.Println("    " + strings.TrimSuffix(s, "\n"))
}

func (t *T) Log(a ...any)                   { t.log(fmt.Sprintln(a...)) }
func (t *T) Logf(format string, a ...any)   { t.log(fmt.Sprintf(format, a...)) }
func (t *T) Error(a ...any)                 { t.Log(a...); t.Fail() }
func (t *T) Errorf(format string, a ...any) { t.Logf(format, a...); t.Fail() }
func (t *T) Fatal(a ...any)                 { t.Log(a...); t.FailNow() }
func (t *T) Fatalf(format string, a ...any) { t.Logf(format, a...); t.FailNow() }
func (t *T) Skip(a ...any)                  { t.Log(a...); t.SkipNow() }
func (t *T) Skipf(format string, a ...any)  { t.Logf(format, a...); t.SkipNow() }

func (t *T) Cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

func (t *T) clean() {
	t.cancel()
	for {
		t.mu.Lock()
		n := len(t.cleanups)
		if n == 0 {
			t.mu.Unlock()
			return
		}
		f := t.cleanups[n-1]
		t.cleanups = t.cleanups[:n-1]
		t.mu.Unlock()
		f()
	}
}

// Parallel lets the parent go on, and continues once the parent's function has returned.
func (t *T) Parallel() {
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
	}
	t.parallel = true
	if t.parent == nil {
		return
	}
	t.parent.mu.Lock()
	t.parent.sub = append(t.parent.sub, t)
	t.parent.mu.Unlock()
	t.signal <- true
	<-t.parent.barrier
	t.slots.take()
}

// end is the last deferred call of a test's goroutine. A panic goes through it, and ends the program.
func (t *T) end() {
	if x := recover(); x != nil {
		panic(x)
	}
	t.mu.Lock()
	ended := t.finished
	t.mu.Unlock()
	if !ended { // as Go's: a Goexit of its own
		t.log("test executed panic(nil) or runtime.Goexit")
		t.Fail()
	}
	if len(t.sub) > 0 {
		t.slots.give()
		close(t.barrier)
		for _, s := range t.sub {
			<-s.signal
		}
		t.clean()
		if !t.parallel {
			t.slots.take()
		}
	} else {
		t.clean()
	}
	if t.parallel && t.parent != nil {
		t.slots.give()
	}
	t.report()
	t.mu.Lock()
	t.done = true
	t.mu.Unlock()
	t.signal <- true
}

func (t *T) report() {
	switch {
	case t.Failed():
		fmt.Printf("--- FAIL: %s (0.00s)\n", t.name)
	case t.Skipped():
		fmt.Printf("--- SKIP: %s (0.00s)\n", t.name)
	case t.parent != nil:
		fmt.Printf("--- PASS: %s (0.00s)\n", t.name)
	}
}

func (t *T) run(f func(t *T)) {
	defer t.end()
	f(t)
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
}

// Run runs f in a goroutine of its own, and waits until that has ended or has become parallel.
func (t *T) Run(name string, f func(t *T)) bool {
	s := newT(t.name+"/"+strings.ReplaceAll(name, " ", "_"), t, t.slots)
	go s.run(f)
	<-s.signal
	return !s.Failed()
}

// Main is what runs instead of main: one test, and what `go test` prints of it.
func Main(name string, f func(t *T)) {
	t := newT(name, nil, &slots{most: runtime.GOMAXPROCS(0), running: 1, next: make(chan bool)})
	go t.run(f)
	<-t.signal
	if t.Failed() {
		fmt.Println("FAIL")
		os.Exit(1)
	}
	fmt.Println("PASS")
}

// Short and Verbose are what `go test -v` says.
func Short() bool   { return false }
func Verbose() bool { return true }
