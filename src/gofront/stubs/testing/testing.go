package testing

import (
	"fmt"
	"os"
)

type T struct {
	failed bool
	name   string
}

func goexit()

func (t *T) Log(a ...any)                   { fmt.Println(a...) }
func (t *T) Logf(format string, a ...any)   { fmt.Printf(format+"\n", a...) }
func (t *T) Error(a ...any)                 { fmt.Println(a...); t.failed = true }
func (t *T) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...); t.failed = true }
func (t *T) Fatal(a ...any)                 { t.Error(a...); goexit() }
func (t *T) Fatalf(format string, a ...any) { t.Errorf(format, a...); goexit() }
func (t *T) Fail()                          { t.failed = true }
func (t *T) FailNow()                       { t.failed = true; goexit() }
func (t *T) Failed() bool                   { return t.failed }
func (t *T) Helper()                        {}
func (t *T) Parallel()                      {}
func (t *T) Name() string                   { return t.name }

// Run runs f in a goroutine of its own, as Go's does, and waits for it.
func (t *T) Run(name string, f func(t *T)) bool {
	sub := &T{name: name}
	done := make(chan bool)
	go func() {
		defer func() { done <- true }()
		f(sub)
	}()
	<-done
	t.failed = t.failed || sub.failed
	return !sub.failed
}

// Main is what runs instead of main: one test, and what `go test` prints of it.
func Main(name string, f func(t *T)) {
	t := &T{name: name}
	t.run(f)
	if t.failed {
		fmt.Printf("--- FAIL: %s (0.00s)\nFAIL\n", name)
		os.Exit(1)
	}
	fmt.Println("PASS")
}

func (t *T) run(f func(t *T)) {
	done := make(chan bool)
	go func() {
		defer func() { done <- true }()
		f(t)
	}()
	<-done
}
