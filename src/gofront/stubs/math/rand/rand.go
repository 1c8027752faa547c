// Package rand: without a source of its own, each random number is a decision of the run. A source with a seed gives Go's own numbers.
//
//gofront:goroot math/rand/normal.go math/rand/exp.go math/rand/zipf.go
package rand

import "internal/value"

// draw returns a number below n: a decision. bits returns 64 bits, of which the upper half is one.
func draw(n uint32) uint32
func bits() uint64

// cook fills the table that Go keeps in its source: the state of the generator after 7.8e12 steps from seed 1.
func cook(table *[length]int64)

const (
	length = 607
	tap    = 273
	prime  = 1<<31 - 1
)

type Source interface {
	Int63() int64
	Seed(seed int64)
}

type Source64 interface {
	Source
	Uint64() uint64
}

// lagged is the additive lagged Fibonacci generator of Go 1.
type lagged struct {
	tap, feed int
	v         [length]int64
}

func NewSource(seed int64) Source {
	l := &lagged{}
	l.Seed(seed)
	return l
}

// next is the minimal standard generator with the multiplier 48271.
func next(x int64) int64 { return x * 48271 % prime }

func (l *lagged) Seed(seed int64) {
	l.tap, l.feed = 0, length-tap
	cook(&l.v)
	x := seed % prime
	if x < 0 {
		x += prime
	}
	if x == 0 {
		x = 89482311
	}
	for range 20 {
		x = next(x)
	}
	for i := range l.v {
		a := next(x)
		b := next(a)
		x = next(b)
		l.v[i] ^= a<<40 ^ b<<20 ^ x
	}
}

func back(i int) int {
	if i == 0 {
		return length - 1
	}
	return i - 1
}

func (l *lagged) Uint64() uint64 {
	l.tap, l.feed = back(l.tap), back(l.feed)
	l.v[l.feed] += l.v[l.tap]
	return uint64(l.v[l.feed])
}

func (l *lagged) Int63() int64 { return int64(l.Uint64() << 1 >> 1) }

// drawn is where the functions of the package have their numbers from.
type drawn struct{}

func (drawn) Int63() int64   { return int64(bits() >> 1) }
func (drawn) Uint64() uint64 { return bits() }
func (drawn) Seed(int64)     {}

type Rand struct {
	src  Source
	draw bool
	rest int64 // what Read has not used, `left` bytes
	left int
}

func New(src Source) *Rand { return &Rand{src: src} }

var global = &Rand{src: drawn{}, draw: true}

func (r *Rand) Seed(seed int64) {
	r.src.Seed(seed)
	r.left = 0
}
func (r *Rand) Int63() int64   { return r.src.Int63() }
func (r *Rand) Uint32() uint32 { return uint32(r.Int63() >> 31) }
func (r *Rand) Int31() int32   { return int32(r.Int63() >> 32) }
func (r *Rand) Int() int       { return int(r.Int63()) }
func (r *Rand) Uint64() uint64 {
	if s, ok := r.src.(Source64); ok {
		return s.Uint64()
	}
	return uint64(r.Int63())>>31 | uint64(r.Int63())<<32
}

func (r *Rand) Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	if r.draw && n < 1<<32 {
		return int64(draw(uint32(n)))
	}
	if n&(n-1) == 0 {
		return r.Int63() & (n - 1)
	}
	most := int64(1<<63 - 1 - (1<<63)%uint64(n))
	v := r.Int63()
	for v > most {
		v = r.Int63()
	}
	return v % n
}

func (r *Rand) Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	if r.draw {
		return int32(draw(uint32(n)))
	}
	if n&(n-1) == 0 {
		return r.Int31() & (n - 1)
	}
	most := int32(1<<31 - 1 - (1<<31)%uint32(n))
	v := r.Int31()
	for v > most {
		v = r.Int31()
	}
	return v % n
}

// below is Lemire's method, which Shuffle uses.
func (r *Rand) below(n int32) int32 {
	if r.draw {
		return int32(draw(uint32(n)))
	}
	p := uint64(r.Uint32()) * uint64(n)
	if low := uint32(p); low < uint32(n) {
		least := uint32(-n) % uint32(n)
		for uint32(p) < least {
			p = uint64(r.Uint32()) * uint64(n)
		}
	}
	return int32(p >> 32)
}

func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	if n <= 1<<31-1 {
		return int(r.Int31n(int32(n)))
	}
	return int(r.Int63n(int64(n)))
}

func (r *Rand) Float64() float64 {
	for {
		if f := float64(r.Int63()) / (1 << 63); f != 1 {
			return f
		}
	}
}

func (r *Rand) Float32() float32 {
	for {
		if f := float32(r.Float64()); f != 1 {
			return f
		}
	}
}

// Read takes seven bytes of each number, the last ones first.
func (r *Rand) Read(p []byte) (int, error) {
	for i := range p {
		if r.left == 0 {
			r.rest, r.left = r.Int63(), 7
		}
		p[i] = byte(r.rest)
		r.rest >>= 8
		r.left--
	}
	return len(p), nil
}

func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		if i > 1<<31-2 {
			swap(i, int(r.Int63n(int64(i+1))))
		} else {
			swap(i, int(r.below(int32(i+1))))
		}
	}
}

// Seed has no effect in a module of Go 1.24 or newer.
func Seed(seed int64) {
	if value.GoLine() < 24 {
		*global = Rand{src: NewSource(seed)}
	}
}

func Int63() int64                       { return global.Int63() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Int31() int32                       { return global.Int31() }
func Int() int                           { return global.Int() }
func Int63n(n int64) int64               { return global.Int63n(n) }
func Int31n(n int32) int32               { return global.Int31n(n) }
func Intn(n int) int                     { return global.Intn(n) }
func Float64() float64                   { return global.Float64() }
func Float32() float32                   { return global.Float32() }
func NormFloat64() float64               { return global.NormFloat64() }
func ExpFloat64() float64                { return global.ExpFloat64() }
func Read(p []byte) (int, error)         { return global.Read(p) }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }
