// Package sync: the locks are the runtime's; what is made of them is written here.
package sync

// A handle is 0 until its object is first used, then its number.
type handle int

func mutexLock(h *handle)
func mutexTryLock(h *handle) bool
func mutexUnlock(h *handle)
func rwLock(h *handle)
func rwUnlock(h *handle)
func rwRLock(h *handle)
func rwRUnlock(h *handle)
func groupAdd(h *handle, n int)
func groupWait(h *handle)
func condWait(h *handle)
func condSignal(h *handle)
func condBroadcast(h *handle)
func condAdd(h *handle) int

type Locker interface {
	Lock()
	Unlock()
}

type Mutex struct{ h handle }

func (m *Mutex) Lock()         { mutexLock(&m.h) }
func (m *Mutex) TryLock() bool { return mutexTryLock(&m.h) }
func (m *Mutex) Unlock()       { mutexUnlock(&m.h) }

type RWMutex struct{ h handle }

func (m *RWMutex) Lock()           { rwLock(&m.h) }
func (m *RWMutex) Unlock()         { rwUnlock(&m.h) }
func (m *RWMutex) RLock()          { rwRLock(&m.h) }
func (m *RWMutex) RUnlock()        { rwRUnlock(&m.h) }
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

type WaitGroup struct{ h handle }

func (w *WaitGroup) Add(n int) { groupAdd(&w.h, n) }
func (w *WaitGroup) Done()     { groupAdd(&w.h, -1) }
func (w *WaitGroup) Wait()     { groupWait(&w.h) }
func (w *WaitGroup) Go(f func()) {
	w.Add(1)
	go func() {
		defer w.Done()
		f()
	}()
}

type Cond struct {
	L Locker
	h handle
}

func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait joins the list of waiters before it unlocks L, as Go's does.
func (c *Cond) Wait() {
	condAdd(&c.h)
	c.L.Unlock()
	condWait(&c.h)
	c.L.Lock()
}
func (c *Cond) Signal()    { condSignal(&c.h) }
func (c *Cond) Broadcast() { condBroadcast(&c.h) }

type Once struct {
	done bool
	m    Mutex
}

func (o *Once) Do(f func()) {
	if !o.done {
		o.slow(f)
	}
}

func (o *Once) slow(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if !o.done {
		defer func() { o.done = true }()
		f()
	}
}

func OnceFunc(f func()) func() {
	var once Once
	return func() { once.Do(f) }
}

func OnceValue[T any](f func() T) func() T {
	var once Once
	var v T
	return func() T {
		once.Do(func() { v = f() })
		return v
	}
}

type Pool struct {
	New func() any
	m   Mutex
	v   []any
}

func (p *Pool) Get() any {
	if n := len(p.v); n > 0 {
		x := p.v[n-1]
		p.v = p.v[:n-1]
		return x
	}
	if p.New != nil {
		return p.New()
	}
	return nil
}

func (p *Pool) Put(x any) {
	if x != nil {
		p.v = append(p.v, x)
	}
}

type Map struct {
	m Mutex
	v map[any]any
}

func (m *Map) Load(k any) (any, bool) {
	v, ok := m.v[k]
	return v, ok
}

func (m *Map) Store(k, v any) {
	if m.v == nil {
		m.v = map[any]any{}
	}
	m.v[k] = v
}

func (m *Map) LoadOrStore(k, v any) (any, bool) {
	if old, ok := m.v[k]; ok {
		return old, true
	}
	m.Store(k, v)
	return v, false
}

func (m *Map) LoadAndDelete(k any) (any, bool) {
	v, ok := m.v[k]
	delete(m.v, k)
	return v, ok
}

func (m *Map) Delete(k any) { delete(m.v, k) }

func (m *Map) Range(f func(k, v any) bool) {
	for k, v := range m.v {
		if !f(k, v) {
			return
		}
	}
}
