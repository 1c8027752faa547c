// Package sync: the locks are the runtime's; what is made of them is written here.
package sync

import (
	"runtime"
	"sync/atomic"
)

// An object of the runtime: its number, 0 until it is first used; its own address, by which a copy is found; the state of a copy.
type object struct{ number, self, state int }

func mutexLock(o *object)
func mutexTryLock(o *object) bool
func mutexUnlock(o *object)
func rwLock(o *object)
func rwTryLock(o *object) bool
func rwUnlock(o *object)
func rwRLock(o *object)
func rwTryRLock(o *object) bool
func rwRUnlock(o *object)
func groupAdd(o *object, n int) (mistake string)
func groupWait(o *object) (mistake string)
func condCopied(o *object) bool
func condAdd(o *object) (ticket int)
func condWait(o *object, ticket int)
func condSignal(o *object)
func condBroadcast(o *object)

type Locker interface {
	Lock()
	Unlock()
}

type Mutex struct{ o object }

func (m *Mutex) Lock()         { mutexLock(&m.o) }
func (m *Mutex) TryLock() bool { return mutexTryLock(&m.o) }
func (m *Mutex) Unlock()       { mutexUnlock(&m.o) }

type RWMutex struct{ o object }

func (m *RWMutex) Lock()           { rwLock(&m.o) }
func (m *RWMutex) TryLock() bool   { return rwTryLock(&m.o) }
func (m *RWMutex) Unlock()         { rwUnlock(&m.o) }
func (m *RWMutex) RLock()          { rwRLock(&m.o) }
func (m *RWMutex) TryRLock() bool  { return rwTryRLock(&m.o) }
func (m *RWMutex) RUnlock()        { rwRUnlock(&m.o) }
func (m *RWMutex) RLocker() Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }

type WaitGroup struct{ o object }

func (w *WaitGroup) Add(n int) {
	if mistake := groupAdd(&w.o, n); mistake != "" {
		panic(mistake)
	}
}

func (w *WaitGroup) Done() { w.Add(-1) }

func (w *WaitGroup) Wait() {
	if mistake := groupWait(&w.o); mistake != "" {
		panic(mistake)
	}
}

// Go calls no Done if f panics: the program is about to die, and main is not to end first.
func (w *WaitGroup) Go(f func()) {
	w.Add(1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				panic(x)
			}
			w.Done()
		}()
		f()
	}()
}

type Cond struct {
	L Locker
	o object
}

func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) check() {
	if condCopied(&c.o) {
		panic("sync.Cond is copied")
	}
}

// Wait takes its ticket before it unlocks L, so that each Signal from then on counts it.
func (c *Cond) Wait() {
	c.check()
	ticket := condAdd(&c.o)
	c.L.Unlock()
	condWait(&c.o, ticket)
	c.L.Lock()
}

func (c *Cond) Signal() {
	c.check()
	condSignal(&c.o)
}

func (c *Cond) Broadcast() {
	c.check()
	condBroadcast(&c.o)
}

type Once struct {
	done atomic.Uint32
	m    Mutex
}

func (o *Once) Do(f func()) {
	if o.done.Load() == 0 {
		o.slow(f)
	}
}

func (o *Once) slow(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if o.done.Load() == 0 {
		defer o.done.Store(1)
		f()
	}
}

// one is what OnceFunc, OnceValue and OnceValues have in common: all calls after a panic panic, too.
type one struct {
	once  Once
	valid bool
	p     any
}

func (o *one) do(f func()) {
	o.once.Do(func() {
		defer func() {
			o.p = recover()
			if !o.valid {
				panic(o.p)
			}
		}()
		f()
		o.valid = true
	})
	if !o.valid {
		panic(o.p)
	}
}

func OnceFunc(f func()) func() {
	o := &one{}
	return func() { o.do(f) }
}

func OnceValue[T any](f func() T) func() T {
	o := &one{}
	var v T
	return func() T {
		o.do(func() { v = f() })
		return v
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	o := &one{}
	var v T1
	var w T2
	return func() (T1, T2) {
		o.do(func() { v, w = f() })
		return v, w
	}
}

// A guard is for a few steps that no other G may see half done, and that Go does without a lock that a G could wait for.
type guard struct{ busy int32 }

func (g *guard) enter() {
	for !atomic.CompareAndSwapInt32(&g.busy, 0, 1) {
		runtime.Gosched()
	}
}
func (g *guard) leave() { atomic.StoreInt32(&g.busy, 0) }

func pid() int
func cycles() int // of the collector so far

// A shard is a P's part of a pool.
type shard struct {
	private any
	shared  []any
}

// Pool keeps values by P: one that only the P takes, and others, the newest first; another P takes the oldest. The collector makes all of them victims,
// and drops the victims of its last cycle.
type Pool struct {
	New           func() any
	g             guard
	local, victim []shard
	cycle         int
}

// at returns the part of this P. Caller: is in the guard.
func (p *Pool) at() *shard {
	if n := cycles(); n != p.cycle {
		p.victim = nil
		if n == p.cycle+1 {
			p.victim = p.local
		}
		p.local, p.cycle = nil, n
	}
	id := pid()
	for len(p.local) <= id {
		p.local = append(p.local, shard{})
	}
	return &p.local[id]
}

func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	p.g.enter()
	if s := p.at(); s.private == nil {
		s.private = x
	} else {
		s.shared = append(s.shared, x)
	}
	p.g.leave()
}

func (p *Pool) Get() any {
	p.g.enter()
	s := p.at()
	x := s.private
	s.private = nil
	if n := len(s.shared); x == nil && n > 0 {
		x = s.shared[n-1]
		s.shared = s.shared[:n-1]
	}
	if x == nil {
		x = p.slow()
	}
	p.g.leave()
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}

// oldest takes the oldest value of any P, that of `from` first.
func oldest(all []shard, from int) any {
	for i := range all {
		s := &all[(from+i)%len(all)]
		if len(s.shared) > 0 {
			x := s.shared[0]
			s.shared = s.shared[1:]
			return x
		}
	}
	return nil
}

func (p *Pool) slow() any {
	id := pid()
	if x := oldest(p.local, id+1); x != nil {
		return x
	}
	if id < len(p.victim) {
		if x := p.victim[id].private; x != nil {
			p.victim[id].private = nil
			return x
		}
		if x := oldest(p.victim, id); x != nil {
			return x
		}
		p.victim = nil
	}
	return nil
}

// Map never makes a G wait. Range sees each key once, in an order of the seed.
type Map struct {
	g guard
	v map[any]any
}

func (m *Map) Load(k any) (any, bool) {
	_ = map[any]bool{k: true} // panics if k cannot be a key
	m.g.enter()
	v, ok := m.v[k]
	m.g.leave()
	return v, ok
}

func (m *Map) Store(k, v any) { m.Swap(k, v) }

func (m *Map) Swap(k, v any) (any, bool) {
	_ = map[any]bool{k: true}
	m.g.enter()
	old, ok := m.v[k]
	m.put(k, v)
	m.g.leave()
	return old, ok
}

func (m *Map) put(k, v any) {
	if m.v == nil {
		m.v = map[any]any{}
	}
	m.v[k] = v
}

func (m *Map) LoadOrStore(k, v any) (any, bool) {
	_ = map[any]bool{k: true}
	m.g.enter()
	old, ok := m.v[k]
	if !ok {
		m.put(k, v)
		old = v
	}
	m.g.leave()
	return old, ok
}

func (m *Map) LoadAndDelete(k any) (any, bool) {
	_ = map[any]bool{k: true}
	m.g.enter()
	v, ok := m.v[k]
	delete(m.v, k)
	m.g.leave()
	return v, ok
}

func (m *Map) Delete(k any) { m.LoadAndDelete(k) }

func (m *Map) CompareAndSwap(k, old, v any) bool {
	_, _ = map[any]bool{k: true}, map[any]bool{old: true}
	m.g.enter()
	is, ok := m.v[k]
	ok = ok && is == old
	if ok {
		m.v[k] = v
	}
	m.g.leave()
	return ok
}

func (m *Map) CompareAndDelete(k, old any) bool {
	_, _ = map[any]bool{k: true}, map[any]bool{old: true}
	m.g.enter()
	is, ok := m.v[k]
	ok = ok && is == old
	if ok {
		delete(m.v, k)
	}
	m.g.leave()
	return ok
}

func (m *Map) Clear() {
	m.g.enter()
	clear(m.v)
	m.g.leave()
}

func (m *Map) Range(f func(k, v any) bool) {
	var keys []any
	m.g.enter()
	for k := range m.v {
		keys = append(keys, k)
	}
	m.g.leave()
	for _, k := range keys {
		if v, ok := m.Load(k); ok && !f(k, v) {
			return
		}
	}
}
