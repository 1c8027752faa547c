// Package context: cancellation, causes, deadlines, values, AfterFunc, foreign parents.
package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

type key string

type foreign struct{ context.Context }

func (f foreign) Done() <-chan struct{} { return f.Context.Done() }

type own struct {
	context.Context
	done chan struct{}
}

func (o own) Done() <-chan struct{} { return o.done }
func (o own) Err() error {
	select {
	case <-o.done:
		return errors.New("own end")
	default:
		return nil
	}
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	bg := context.Background()
	fmt.Println(bg, context.TODO(), bg.Err(), bg.Done() == nil, context.Cause(bg))
	ctx, cancel := context.WithCancel(bg)
	child, stop := context.WithCancelCause(ctx)
	valued := context.WithValue(child, key("a"), 1)
	fmt.Println(ctx, valued, valued.Value(key("a")), valued.Value(key("b")), valued.Value("a"))
	grand, done := context.WithTimeout(valued, time.Hour)
	defer done()
	_, has := grand.Deadline()
	fmt.Println(ctx.Err(), grand.Err(), has, grand.Value(key("a")))
	stop(errors.New("the cause"))
	stop(errors.New("too late"))
	<-grand.Done()
	fmt.Println(ctx.Err(), child.Err(), grand.Err(), context.Cause(grand), context.Cause(ctx), context.Cause(child))
	cancel()
	cancel()
	fmt.Println(ctx.Err(), context.Cause(ctx), ctx.Err() == context.Canceled)

	slow, end := context.WithTimeout(bg, 2*time.Millisecond)
	defer end()
	select {
	case <-slow.Done():
		fmt.Println(slow.Err(), errors.Is(slow.Err(), context.DeadlineExceeded), context.Cause(slow))
	case <-time.After(time.Second):
		fmt.Println("late")
	}
	past, end2 := context.WithDeadlineCause(bg, time.Now().Add(-time.Second), errors.New("long ago"))
	end2()
	fmt.Println(past.Err(), context.Cause(past))
	var timeout interface{ Timeout() bool }
	fmt.Println(errors.As(past.Err(), &timeout) && timeout.Timeout())

	a, ca := context.WithCancel(bg)
	free := context.WithoutCancel(context.WithValue(a, key("k"), "v"))
	ran := make(chan string, 2)
	s1 := context.AfterFunc(a, func() { ran <- "ran" })
	s2 := context.AfterFunc(a, func() { ran <- "never" })
	fmt.Println(s2(), s2())
	ca()
	fmt.Println(<-ran, s1(), len(ran), free.Err(), free.Value(key("k")), free)

	before := runtime.NumGoroutine()
	b, cb := context.WithCancel(bg)
	f1, cf1 := context.WithCancel(foreign{b})
	fmt.Println(runtime.NumGoroutine() - before)
	o := own{bg, make(chan struct{})}
	f2, cf2 := context.WithCancel(o)
	defer cf2()
	fmt.Println(runtime.NumGoroutine() - before)
	close(o.done)
	<-f2.Done()
	fmt.Println(f2.Err(), context.Cause(f2))
	cb()
	<-f1.Done()
	cf1()
	fmt.Println(f1.Err())
	time.Sleep(time.Millisecond)
	fmt.Println(runtime.NumGoroutine() - before)
	try(func() { context.WithCancel(nil) })
	try(func() { context.WithValue(bg, nil, 1) })
	try(func() { context.WithValue(bg, []int{}, 1) })
	try(func() { context.WithValue(nil, 1, 1) })
	never, cn := context.WithCancel(b)
	defer cn()
	fmt.Println(never.Err())
}
