// Package math. What has no text here is Go's own source, which the front end adds; Exp is the one that Go has for amd64.
//
//gofront:goroot math/bits.go math/stubs.go math/dim.go math/dim_noasm.go math/modf.go math/modf_noasm.go math/frexp.go math/ldexp.go
//gofront:goroot math/hypot.go math/hypot_noasm.go math/log.go math/log_stub.go math/log10.go math/log1p.go math/exp.go math/exp2_noasm.go math/expm1.go
//gofront:goroot math/pow.go math/pow10.go math/cbrt.go math/sin.go math/sincos.go math/trig_reduce.go math/tan.go math/atan.go math/atan2.go math/asin.go
//gofront:goroot math/sinh.go math/tanh.go math/asinh.go math/acosh.go math/atanh.go math/erf.go math/gamma.go math/logb.go math/remainder.go
//gofront:goroot math/nextafter.go
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
func Float32bits(f float32) uint32
func Float32frombits(b uint32) float32
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

const haveArchExp = true

func archExp(x float64) float64
