// Package rand, version 2: as version 1, each random number is a decision of the run. PCG gives Go's own numbers.
//
//gofront:goroot math/rand/v2/normal.go math/rand/v2/exp.go math/rand/v2/zipf.go
package rand

// draw returns a number below n: a decision. bits returns 64 bits, of which the upper half is one.
func draw(n uint32) uint32
func bits() uint64

type Source interface{ Uint64() uint64 }

// product is x*y in 128 bits.
func product(x, y uint64) (hi, lo uint64) {
	a, b, c, d := x>>32, x&(1<<32-1), y>>32, y&(1<<32-1)
	mid := a*d + b*d>>32
	low := mid&(1<<32-1) + b*c
	return a*c + mid>>32 + low>>32, x * y
}

// PCG is a generator with 128 bits of state, of the kind DXSM.
type PCG struct{ hi, lo uint64 }

func NewPCG(seed1, seed2 uint64) *PCG   { return &PCG{seed1, seed2} }
func (p *PCG) Seed(seed1, seed2 uint64) { p.hi, p.lo = seed1, seed2 }

func (p *PCG) Uint64() uint64 {
	const (
		mulHi, mulLo = 0x2360ed051fc65da4, 0x4385df649fccf645
		incHi, incLo = 0x5851f42d4c957f2d, 0x14057b7ef767814f
		cheap        = 0xda942042e4dd58b5
	)
	hi, lo := product(p.lo, mulLo)
	hi += p.hi*mulLo + p.lo*mulHi
	sum := lo + incLo
	hi += incHi
	if sum < lo {
		hi++
	}
	p.hi, p.lo = hi, sum
	hi ^= hi >> 32
	hi *= cheap
	hi ^= hi >> 48
	return hi * (sum | 1)
}

// drawn is where the functions of the package have their numbers from.
type drawn struct{}

func (drawn) Uint64() uint64 { return bits() }

type Rand struct {
	src  Source
	draw bool
}

func New(src Source) *Rand { return &Rand{src: src} }

var global = &Rand{src: drawn{}, draw: true}

func (r *Rand) Int64() int64   { return int64(r.src.Uint64() << 1 >> 1) }
func (r *Rand) Uint32() uint32 { return uint32(r.src.Uint64() >> 32) }
func (r *Rand) Uint64() uint64 { return r.src.Uint64() }
func (r *Rand) Int32() int32   { return int32(r.src.Uint64() >> 33) }
func (r *Rand) Int() int       { return int(r.src.Uint64() << 1 >> 1) }
func (r *Rand) Uint() uint     { return uint(r.src.Uint64()) }

func (r *Rand) below(n uint64) uint64 {
	if r.draw && n < 1<<32 {
		return uint64(draw(uint32(n)))
	}
	if n&(n-1) == 0 {
		return r.Uint64() & (n - 1)
	}
	hi, lo := product(r.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = product(r.Uint64(), n)
		}
	}
	return hi
}

func check(ok bool, name string) {
	if !ok {
		panic("invalid argument to " + name)
	}
}

func (r *Rand) Int64N(n int64) int64 {
	check(n > 0, "Int64N")
	return int64(r.below(uint64(n)))
}

func (r *Rand) Uint64N(n uint64) uint64 {
	check(n > 0, "Uint64N")
	return r.below(n)
}

func (r *Rand) Int32N(n int32) int32 {
	check(n > 0, "Int32N")
	return int32(r.below(uint64(n)))
}

func (r *Rand) Uint32N(n uint32) uint32 {
	check(n > 0, "Uint32N")
	return uint32(r.below(uint64(n)))
}

func (r *Rand) IntN(n int) int {
	check(n > 0, "IntN")
	return int(r.below(uint64(n)))
}

func (r *Rand) UintN(n uint) uint {
	check(n > 0, "UintN")
	return uint(r.below(uint64(n)))
}

func (r *Rand) Float64() float64 { return float64(r.Uint64()<<11>>11) / (1 << 53) }
func (r *Rand) Float32() float32 { return float32(r.Uint32()<<8>>8) / (1 << 24) }

func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	check(n >= 0, "Shuffle")
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.below(uint64(i+1))))
	}
}

func Int64() int64                       { return global.Int64() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Int32() int32                       { return global.Int32() }
func Int() int                           { return global.Int() }
func Uint() uint                         { return global.Uint() }
func Int64N(n int64) int64               { return global.Int64N(n) }
func Uint64N(n uint64) uint64            { return global.Uint64N(n) }
func Int32N(n int32) int32               { return global.Int32N(n) }
func Uint32N(n uint32) uint32            { return global.Uint32N(n) }
func IntN(n int) int                     { return global.IntN(n) }
func UintN(n uint) uint                  { return global.UintN(n) }
func Float64() float64                   { return global.Float64() }
func Float32() float32                   { return global.Float32() }
func NormFloat64() float64               { return global.NormFloat64() }
func ExpFloat64() float64                { return global.ExpFloat64() }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func N[T integer](n T) T {
	check(n > 0, "N")
	return T(global.below(uint64(n)))
}
