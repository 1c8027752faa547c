// Package context, with the goroutines, locks, channels and order of Go's own.
package context

import (
	"errors"
	"internal/value"
	"sync"
	"sync/atomic"
	"time"
)

type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

type (
	CancelFunc      func()
	CancelCauseFunc func(cause error)
)

var Canceled = errors.New("context canceled")
var DeadlineExceeded error = deadlineExceededError{}

type deadlineExceededError struct{}

func (deadlineExceededError) Error() string   { return "context deadline exceeded" }
func (deadlineExceededError) Timeout() bool   { return true }
func (deadlineExceededError) Temporary() bool { return true }

// ---- contexts that nothing cancels ----

type emptyCtx struct{}

func (emptyCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (emptyCtx) Done() <-chan struct{}       { return nil }
func (emptyCtx) Err() error                  { return nil }
func (emptyCtx) Value(key any) any           { return nil }

type backgroundCtx struct{ emptyCtx }
type todoCtx struct{ emptyCtx }

func (backgroundCtx) String() string { return "context.Background" }
func (todoCtx) String() string       { return "context.TODO" }

func Background() Context { return backgroundCtx{} }
func TODO() Context       { return todoCtx{} }

type withoutCancelCtx struct{ parent Context }

func (withoutCancelCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (withoutCancelCtx) Done() <-chan struct{}       { return nil }
func (withoutCancelCtx) Err() error                  { return nil }
func (c withoutCancelCtx) Value(key any) any         { return lookUp(c, key) }
func (c withoutCancelCtx) String() string            { return name(c.parent) + ".WithoutCancel" }

func WithoutCancel(parent Context) Context {
	check(parent)
	return withoutCancelCtx{parent}
}

// ---- values ----

type valueCtx struct {
	Context
	key, val any
}

func (c *valueCtx) Value(key any) any { return lookUp(c, key) }
func (c *valueCtx) String() string {
	return name(c.Context) + ".WithValue(" + text(c.key) + ", " + text(c.val) + ")"
}

func WithValue(parent Context, key, val any) Context {
	check(parent)
	if key == nil {
		panic("nil key")
	}
	if !canCompare(key) {
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

// canCompare says whether key may be compared.
func canCompare(key any) (ok bool) {
	defer func() { recover() }()
	return key == key || true
}

// A context that can be cancelled answers selfKey with itself.
type selfKey struct{}

// lookUp goes from c to its parents until one has the key. A context of another kind is asked.
func lookUp(c Context, key any) any {
	_, self := key.(selfKey)
	for {
		switch x := c.(type) {
		case *valueCtx:
			if x.key == key {
				return x.val
			}
			c = x.Context
		case *cancelCtx:
			if self {
				return x
			}
			c = x.Context
		case *timerCtx:
			if self {
				return &x.cancelCtx
			}
			c = x.Context
		case withoutCancelCtx:
			if self {
				return nil
			}
			c = x.parent
		case backgroundCtx, todoCtx:
			return nil
		default:
			return c.Value(key)
		}
	}
}

type stringer interface{ String() string }

func name(c Context) string {
	if s, ok := c.(stringer); ok {
		return s.String()
	}
	return value.TypeName(c)
}

func text(v any) string {
	switch x := v.(type) {
	case stringer:
		return x.String()
	case string:
		return x
	case nil:
		return "<nil>"
	}
	return value.TypeName(v)
}

func check(parent Context) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
}

// ---- cancellation ----

type canceler interface {
	cancel(leave bool, err, cause error)
	Done() <-chan struct{}
}

// closed is the channel of a context that is cancelled before anybody has asked for its channel.
var closed = make(chan struct{})

func init() { close(closed) }

type cancelCtx struct {
	Context
	mu       sync.Mutex            // of what follows
	done     atomic.Value          // the channel, made when it is first asked for
	children map[canceler]struct{} // nil once it is cancelled
	err      atomic.Value
	cause    error
}

func (c *cancelCtx) Value(key any) any { return lookUp(c, key) }
func (c *cancelCtx) String() string    { return name(c.Context) + ".WithCancel" }

func (c *cancelCtx) Done() <-chan struct{} {
	if d := c.done.Load(); d != nil {
		return d.(chan struct{})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.done.Load()
	if d == nil {
		d = make(chan struct{})
		c.done.Store(d)
	}
	return d.(chan struct{})
}

// Err is set before the channel is closed, and a G that has seen it may count on the channel.
func (c *cancelCtx) Err() error {
	if f := c.err.Load(); f != nil {
		<-c.Done()
		return f.(error)
	}
	return nil
}

func (c *cancelCtx) cancel(leave bool, err, cause error) {
	if err == nil {
		panic("context: internal error: missing cancel error")
	}
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err.Load() != nil {
		c.mu.Unlock()
		return
	}
	c.err.Store(err)
	c.cause = cause
	if d, ok := c.done.Load().(chan struct{}); ok {
		close(d)
	} else {
		c.done.Store(closed)
	}
	for child := range c.children {
		child.cancel(false, err, cause)
	}
	c.children = nil
	c.mu.Unlock()
	if leave {
		leaveParent(c.Context, c)
	}
}

// cancelParent returns the context of this package whose channel is the parent's.
func cancelParent(parent Context) (*cancelCtx, bool) {
	done := parent.Done()
	if done == nil || done == closed {
		return nil, false
	}
	p, ok := parent.Value(selfKey{}).(*cancelCtx)
	if !ok {
		return nil, false
	}
	if d, _ := p.done.Load().(chan struct{}); d != done {
		return nil, false
	}
	return p, true
}

func leaveParent(parent Context, child canceler) {
	if s, ok := parent.(stopCtx); ok {
		s.stop()
		return
	}
	if p, ok := cancelParent(parent); ok {
		p.mu.Lock()
		if p.children != nil {
			delete(p.children, child)
		}
		p.mu.Unlock()
	}
}

// A parent may have a method AfterFunc of its own, and then needs no goroutine.
type afterFuncer interface {
	AfterFunc(func()) func() bool
}

type stopCtx struct {
	Context
	stop func() bool
}

// follow cancels child when the parent is cancelled. c is the part of child that is a cancelCtx. A parent of a foreign kind costs a goroutine.
func (c *cancelCtx) follow(parent Context, child canceler) {
	c.Context = parent
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
	if p, ok := cancelParent(parent); ok {
		p.mu.Lock()
		if f := p.err.Load(); f != nil {
			child.cancel(false, f.(error), p.cause)
		} else {
			if p.children == nil {
				p.children = make(map[canceler]struct{})
			}
			p.children[child] = struct{}{}
		}
		p.mu.Unlock()
		return
	}
	if a, ok := parent.(afterFuncer); ok {
		c.mu.Lock()
		c.Context = stopCtx{parent, a.AfterFunc(func() { child.cancel(false, parent.Err(), Cause(parent)) })}
		c.mu.Unlock()
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

func newCancel(parent Context) *cancelCtx {
	check(parent)
	c := &cancelCtx{}
	c.follow(parent, c)
	return c
}

func WithCancel(parent Context) (Context, CancelFunc) {
	c := newCancel(parent)
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithCancelCause(parent Context) (Context, CancelCauseFunc) {
	c := newCancel(parent)
	return c, func(cause error) { c.cancel(true, Canceled, cause) }
}

func Cause(c Context) error {
	err := c.Err()
	if err == nil {
		return nil
	}
	if p, ok := c.Value(selfKey{}).(*cancelCtx); ok {
		p.mu.Lock()
		cause := p.cause
		p.mu.Unlock()
		if cause != nil {
			return cause
		}
	}
	return err
}

// ---- deadlines ----

type timerCtx struct {
	cancelCtx
	timer    *time.Timer // under mu
	deadline time.Time
}

func (c *timerCtx) Deadline() (time.Time, bool) { return c.deadline, true }
func (c *timerCtx) String() string {
	return name(c.cancelCtx.Context) + ".WithDeadline(" + c.deadline.String() + " [" + time.Until(c.deadline).String() + "])"
}

func (c *timerCtx) cancel(leave bool, err, cause error) {
	c.cancelCtx.cancel(false, err, cause)
	if leave {
		leaveParent(c.cancelCtx.Context, c)
	}
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.mu.Unlock()
}

func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	check(parent)
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{deadline: d}
	c.follow(parent, c)
	left := time.Until(d)
	if left <= 0 {
		c.cancel(true, DeadlineExceeded, cause)
		return c, func() { c.cancel(false, Canceled, nil) }
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err.Load() == nil {
		c.timer = time.AfterFunc(left, func() { c.cancel(true, DeadlineExceeded, cause) })
	}
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(timeout))
}

func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

// ---- AfterFunc ----

type afterFuncCtx struct {
	cancelCtx
	once sync.Once // f is started, or never will be
	f    func()
}

func (a *afterFuncCtx) cancel(leave bool, err, cause error) {
	a.cancelCtx.cancel(false, err, cause)
	if leave {
		leaveParent(a.Context, a)
	}
	a.once.Do(func() { go a.f() })
}

func AfterFunc(ctx Context, f func()) (stop func() bool) {
	a := &afterFuncCtx{f: f}
	a.follow(ctx, a)
	return func() bool {
		stopped := false
		a.once.Do(func() { stopped = true })
		if stopped {
			a.cancel(true, Canceled, nil)
		}
		return stopped
	}
}
