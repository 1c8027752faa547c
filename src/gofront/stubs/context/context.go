// Package context, with the goroutines, locks and channels of Go's own.
package context

import (
	"errors"
	"sync"
	"time"
)

type Context interface {
	Deadline() (time.Time, bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

type CancelFunc func()
type CancelCauseFunc func(cause error)

var Canceled = errors.New("context canceled")
var DeadlineExceeded error = deadlineExceeded{}

type deadlineExceeded struct{}

func (deadlineExceeded) Error() string   { return "context deadline exceeded" }
func (deadlineExceeded) Timeout() bool   { return true }
func (deadlineExceeded) Temporary() bool { return true }

type empty struct{ name string }

func (*empty) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*empty) Done() <-chan struct{}       { return nil }
func (*empty) Err() error                  { return nil }
func (*empty) Value(key any) any           { return nil }
func (e *empty) String() string            { return e.name }

var background = &empty{"context.Background"}
var todo = &empty{"context.TODO"}

func Background() Context { return background }
func TODO() Context       { return todo }

type canceler interface {
	cancel(fromParent bool, err, cause error)
	Done() <-chan struct{}
}

type cancelCtx struct {
	Context
	mu       sync.Mutex
	done     chan struct{}
	children map[canceler]struct{}
	err      error
	cause    error
}

type cancelKey struct{}

func (c *cancelCtx) Value(key any) any {
	if _, ok := key.(cancelKey); ok {
		return c
	}
	return c.Context.Value(key)
}

func (c *cancelCtx) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
	}
	return c.done
}

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	return err
}

func parentOf(parent Context) (*cancelCtx, bool) {
	p, ok := parent.Value(cancelKey{}).(*cancelCtx)
	return p, ok
}

// propagate cancels child when the parent is; a parent of another kind costs a goroutine.
func propagate(parent Context, child canceler) {
	done := parent.Done()
	if done == nil {
		return
	}
	select {
	case <-done:
		child.cancel(false, parent.Err(), Cause(parent))
		return
	default:
	}
	if p, ok := parentOf(parent); ok {
		p.mu.Lock()
		if p.err != nil {
			p.mu.Unlock()
			child.cancel(false, p.err, p.cause)
			return
		}
		if p.children == nil {
			p.children = map[canceler]struct{}{}
		}
		p.children[child] = struct{}{}
		p.mu.Unlock()
		return
	}
	go func() {
		select {
		case <-parent.Done():
			child.cancel(false, parent.Err(), Cause(parent))
		case <-child.Done():
		}
	}()
}

func (c *cancelCtx) cancel(fromParent bool, err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	if c.done == nil {
		c.done = make(chan struct{})
	}
	close(c.done)
	for child := range c.children {
		child.cancel(false, err, cause)
	}
	c.children = nil
	c.mu.Unlock()
	if fromParent {
		c.leave(c)
	}
}

func (c *cancelCtx) leave(child canceler) {
	p, ok := parentOf(c.Context)
	if !ok {
		return
	}
	p.mu.Lock()
	if p.children != nil {
		delete(p.children, child)
	}
	p.mu.Unlock()
}

func newCancel(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return &cancelCtx{Context: parent}
}

func WithCancel(parent Context) (Context, CancelFunc) {
	c := newCancel(parent)
	propagate(parent, c)
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithCancelCause(parent Context) (Context, CancelCauseFunc) {
	c := newCancel(parent)
	propagate(parent, c)
	return c, func(cause error) { c.cancel(true, Canceled, cause) }
}

func Cause(c Context) error {
	if p, ok := parentOf(c); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.cause
	}
	return c.Err()
}

type timerCtx struct {
	*cancelCtx
	timer    *time.Timer
	deadline time.Time
}

func (c *timerCtx) Deadline() (time.Time, bool) { return c.deadline, true }

func (c *timerCtx) cancel(fromParent bool, err, cause error) {
	c.cancelCtx.cancel(false, err, cause)
	if fromParent {
		c.leave(c)
	}
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.mu.Unlock()
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{cancelCtx: newCancel(parent), deadline: d}
	propagate(parent, c)
	left := time.Until(d)
	if left <= 0 {
		c.cancel(true, DeadlineExceeded, nil)
		return c, func() { c.cancel(false, Canceled, nil) }
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.timer = time.AfterFunc(left, func() { c.cancel(true, DeadlineExceeded, nil) })
	}
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithTimeout(parent Context, d time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(d))
}

type valueCtx struct {
	Context
	key, val any
}

func WithValue(parent Context, key, val any) Context { return &valueCtx{parent, key, val} }

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}
