// Package testing, as far as a test of one function needs it: goroutines, channels, order and output are those of Go's own without -v. How long a test
// took is not told, and Helper changes nothing.
package testing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unicode"
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
	names                           map[string]int
	output                          []byte // what it has logged, and what its parts have
	ctx                             context.Context
	cancel                          context.CancelFunc
}

func newT(name string, parent *T, s *slots) *T {
	t := &T{name: name, parent: parent, slots: s, names: map[string]int{}, barrier: make(chan bool), signal: make(chan bool, 1)}
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

const indent = "    "

// indented begins each line further to the right.
func indented(s string) string {
	lines := strings.SplitAfter(s, "\n")
	return indent + strings.Join(lines[:len(lines)-1], indent) + lines[len(lines)-1]
}

// place is the line of the program's own that runs.
func place() (file string, line int)

func (t *T) log(s string) {
	file, line := place()
	s = strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+indent) + "\n"
	if !t.write(indented(fmt.Sprintf("%s:%d: %s", file[strings.LastIndex(file, "/")+1:], line, s))) {
		panic("Log in goroutine after " + t.name + " has completed: " + s)
	}
}

// write adds to the output of the test, or of the first around it that has not ended.
func (t *T) write(s string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.done {
		t.output = append(t.output, s...)
		return true
	}
	return t.parent != nil && t.parent.write(s)
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
	t.parent.mu.Lock()
	t.parent.sub = append(t.parent.sub, t)
	t.parent.mu.Unlock()
	t.signal <- true
	<-t.parent.barrier
	t.slots.take()
}

// end is the last deferred call of a test's goroutine. A panic goes through it, and ends the program.
func (t *T) end() {
	signal := true
	if x := recover(); x != nil {
		t.die(x)
	}
	if !t.isFinished() {
		if !t.parentFinished() {
			t.die(errors.New("test executed panic(nil) or runtime.Goexit"))
		}
		signal = false
		if !t.parallel {
			t.Error("test executed panic(nil) or runtime.Goexit: subtest may have called FailNow on a parent test")
		}
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
	} else if t.parallel {
		t.slots.give()
	}
	if t.parent != nil && t.Failed() {
		t.report()
	}
	t.mu.Lock()
	t.done = true
	t.mu.Unlock()
	t.signal <- signal
}

func (t *T) isFinished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.finished
}

func (t *T) parentFinished() bool {
	for t = t.parent; t != nil; t = t.parent {
		if t.isFinished() {
			return true
		}
	}
	return false
}

// die shows what the tests have logged before the program ends.
func (t *T) die(x any) {
	t.Fail()
	for ; t.parent != nil; t = t.parent {
		t.report()
	}
	panic(x)
}

// report gives the output of a test that has failed to the one around it.
func (t *T) report() {
	t.mu.Lock()
	s := fmt.Sprintf("--- FAIL: %s (0.00s)\n%s", t.name, t.output)
	t.output = nil
	t.mu.Unlock()
	if t.parent.parent == nil {
		fmt.Print(s)
		return
	}
	s = strings.TrimSuffix(indented(s), indent)
	t.parent.mu.Lock()
	t.parent.output = append(t.parent.output, s...)
	t.parent.mu.Unlock()
}

func (t *T) run(f func(t *T)) {
	defer t.end()
	defer func() {
		if len(t.sub) == 0 {
			t.clean()
		}
	}()
	f(t)
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
}

// unique is the name of a part, with a number if there was one of this name.
func (t *T) unique(name string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		n := t.names[name]
		t.names[name] = n + 1
		if n == 0 && name != "" {
			return name
		}
		if s := fmt.Sprintf("%s#%02d", name, n); t.names[s] == 0 {
			return s
		}
	}
}

// Run runs f in a goroutine of its own, and waits until that has ended or has become parallel.
func (t *T) Run(name string, f func(t *T)) bool {
	name = t.unique(rewritten(name))
	if t.parent != nil {
		name = t.name + "/" + name
	}
	s := newT(name, t, t.slots)
	go s.run(f)
	if !<-s.signal { // a part of it ended the test
		runtime.Goexit()
	}
	return !s.Failed()
}

// rewritten is a name without what does not print.
func rewritten(name string) string {
	out := ""
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			out += "_"
		case r == '\'' || r == '\\':
			out += string(r)
		default:
			q := strconv.QuoteRune(r)
			out += q[1 : len(q)-1]
		}
	}
	return out
}

// Main is what runs instead of main: one test, and what `go test` prints of it.
func Main(name string, f func(t *T)) {
	all := newT("", nil, &slots{most: runtime.GOMAXPROCS(0), running: 1, next: make(chan bool)})
	all.run(func(t *T) { t.Run(name, f) })
	if all.Failed() {
		fmt.Println("FAIL")
		os.Exit(1)
	}
	fmt.Println("PASS")
}

// Short and Verbose are what `go test` says.
func Short() bool   { return false }
func Verbose() bool { return false }
