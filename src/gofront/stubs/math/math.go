// Package math. Sin, Log and others are those of Go's own source, which the front end adds; Exp, whose last digit depends on the processor, is not here.
//
//gofront:goroot math/bits.go math/stubs.go math/log.go math/log_stub.go math/log10.go math/sin.go math/trig_reduce.go math/tan.go math/atan.go math/cbrt.go
package math

const (
	E     = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi    = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi   = 1.61803398874989484820458683436563811772030917980576286213544862
	Sqrt2 = 1.41421356237309504880168872420969807856967187537694807317667974
	Ln2   = 0.693147180559945309417232121458176568075500134360255254120680009
	Ln10  = 2.30258509299404568401799145468436420760110148862877297603332790

	MaxFloat32             = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64             = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52

	MaxInt    = 1<<63 - 1
	MinInt    = -1 << 63
	MaxInt8   = 1<<7 - 1
	MinInt8   = -1 << 7
	MaxInt16  = 1<<15 - 1
	MinInt16  = -1 << 15
	MaxInt32  = 1<<31 - 1
	MinInt32  = -1 << 31
	MaxInt64  = 1<<63 - 1
	MinInt64  = -1 << 63
	MaxUint   = 1<<64 - 1
	MaxUint8  = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)

func Float64bits(f float64) uint64
func Float64frombits(b uint64) float64
func Sqrt(x float64) float64
func Floor(x float64) float64
func Ceil(x float64) float64
func Trunc(x float64) float64
func Round(x float64) float64
func RoundToEven(x float64) float64
func Mod(x, y float64) float64

func Abs(x float64) float64  { return Float64frombits(Float64bits(x) &^ (1 << 63)) }
func Signbit(x float64) bool { return Float64bits(x)>>63 != 0 }

func Copysign(f, sign float64) float64 {
	return Float64frombits(Float64bits(f)&^(1<<63) | Float64bits(sign)&(1<<63))
}

func Max(x, y float64) float64 {
	switch {
	case IsInf(x, 1) || IsInf(y, 1):
		return Inf(1)
	case x != x || y != y:
		return NaN()
	case x == 0 && x == y && Signbit(x):
		return y
	case x > y:
		return x
	case x == 0 && x == y:
		return x
	}
	return y
}

func Min(x, y float64) float64 {
	switch {
	case IsInf(x, -1) || IsInf(y, -1):
		return Inf(-1)
	case x != x || y != y:
		return NaN()
	case x == 0 && x == y && Signbit(x):
		return x
	case x < y:
		return x
	}
	return y
}

func Modf(f float64) (int float64, frac float64) {
	int = Trunc(f)
	return int, Copysign(f-int, f)
}

func Dim(x, y float64) float64 {
	if x-y <= 0 {
		return 0
	}
	return x - y
}

func Hypot(p, q float64) float64 {
	p, q = Abs(p), Abs(q)
	switch {
	case IsInf(p, 1) || IsInf(q, 1):
		return Inf(1)
	case p != p || q != q:
		return NaN()
	}
	if p < q {
		p, q = q, p
	}
	if p == 0 {
		return 0
	}
	q = q / p
	return p * Sqrt(1+q*q)
}

// Frexp and Ldexp as Go's: a fraction in [½, 1) and a power of two.
func Frexp(f float64) (frac float64, exp int) {
	if f == 0 || IsInf(f, 0) || f != f {
		return f, 0
	}
	if Abs(f) < 0x1p-1022 {
		f *= 1 << 52
		exp = -52
	}
	x := Float64bits(f)
	exp += int(x>>52&0x7FF) - 1022
	return Float64frombits(x&^(0x7FF<<52) | 1022<<52), exp
}

func Ldexp(frac float64, exp int) float64 {
	if frac == 0 || IsInf(frac, 0) || frac != frac {
		return frac
	}
	frac, e := Frexp(frac)
	exp += e - 1
	switch {
	case exp < -1075:
		return Copysign(0, frac)
	case exp > 1023:
		return Copysign(Inf(1), frac)
	}
	m := 1.0
	if exp < -1022 {
		exp += 53
		m = 1.0 / (1 << 53)
	}
	return m * Float64frombits(Float64bits(frac)&^(0x7FF<<52)|uint64(exp+1023)<<52)
}

// Pow of a whole exponent is exact as Go's; of another one it needs Exp and Log, so it panics.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y:
		return NaN()
	case x == 0:
		return powOfZero(x, y)
	case IsInf(y, 0):
		switch {
		case x == -1:
			return 1
		case (Abs(x) < 1) == IsInf(y, 1):
			return 0
		}
		return Inf(1)
	case IsInf(x, 0):
		if IsInf(x, -1) {
			return Pow(1/x, -y)
		}
		if y < 0 {
			return 0
		}
		return Inf(1)
	case y == 0.5:
		return Sqrt(x)
	case y == -0.5:
		return 1 / Sqrt(x)
	}
	whole, frac := Modf(Abs(y))
	if frac != 0 && x < 0 {
		return NaN()
	}
	if frac != 0 {
		panic("gmpscope: math.Pow with an exponent that is not a whole number is not supported")
	}
	if whole >= 1<<63 {
		switch {
		case x == -1:
			return 1
		case (Abs(x) < 1) == (y > 0):
			return 0
		}
		return Inf(1)
	}
	a, ae := 1.0, 0
	x1, xe := Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if xe < -1<<12 || 1<<12 < xe {
			ae += xe
			break
		}
		if i&1 == 1 {
			a *= x1
			ae += xe
		}
		x1 *= x1
		xe <<= 1
		if x1 < .5 {
			x1 += x1
			xe--
		}
	}
	if y < 0 {
		a = 1 / a
		ae = -ae
	}
	return Ldexp(a, ae)
}

func powOfZero(x, y float64) float64 {
	odd := Trunc(y) == y && Abs(y) < 1<<53 && int64(y)&1 == 1
	switch {
	case y < 0 && odd && Signbit(x):
		return Copysign(Inf(1), x)
	case y < 0:
		return Inf(1)
	case odd:
		return x
	}
	return 0
}
