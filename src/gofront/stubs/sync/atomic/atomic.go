// Package atomic: each function is one step.
package atomic

func LoadInt32(p *int32) int32 { return loadInt32(p) }
func loadInt32(p *int32) int32
func StoreInt32(p *int32, v int32)
func AddInt32(p *int32, d int32) int32
func SwapInt32(p *int32, v int32) int32
func CompareAndSwapInt32(p *int32, old, v int32) bool

type Int32 struct{ v int32 }

func (x *Int32) Load() int32                      { return LoadInt32(&x.v) }
func (x *Int32) Store(v int32)                    { StoreInt32(&x.v, v) }
func (x *Int32) Add(d int32) int32                { return AddInt32(&x.v, d) }
func (x *Int32) Swap(v int32) int32               { return SwapInt32(&x.v, v) }
func (x *Int32) CompareAndSwap(old, v int32) bool { return CompareAndSwapInt32(&x.v, old, v) }

func LoadInt64(p *int64) int64 { return loadInt64(p) }
func loadInt64(p *int64) int64
func StoreInt64(p *int64, v int64)
func AddInt64(p *int64, d int64) int64
func SwapInt64(p *int64, v int64) int64
func CompareAndSwapInt64(p *int64, old, v int64) bool

type Int64 struct{ v int64 }

func (x *Int64) Load() int64                      { return LoadInt64(&x.v) }
func (x *Int64) Store(v int64)                    { StoreInt64(&x.v, v) }
func (x *Int64) Add(d int64) int64                { return AddInt64(&x.v, d) }
func (x *Int64) Swap(v int64) int64               { return SwapInt64(&x.v, v) }
func (x *Int64) CompareAndSwap(old, v int64) bool { return CompareAndSwapInt64(&x.v, old, v) }

func LoadUint32(p *uint32) uint32 { return loadUint32(p) }
func loadUint32(p *uint32) uint32
func StoreUint32(p *uint32, v uint32)
func AddUint32(p *uint32, d uint32) uint32
func SwapUint32(p *uint32, v uint32) uint32
func CompareAndSwapUint32(p *uint32, old, v uint32) bool

type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32                      { return LoadUint32(&x.v) }
func (x *Uint32) Store(v uint32)                    { StoreUint32(&x.v, v) }
func (x *Uint32) Add(d uint32) uint32               { return AddUint32(&x.v, d) }
func (x *Uint32) Swap(v uint32) uint32              { return SwapUint32(&x.v, v) }
func (x *Uint32) CompareAndSwap(old, v uint32) bool { return CompareAndSwapUint32(&x.v, old, v) }

func LoadUint64(p *uint64) uint64 { return loadUint64(p) }
func loadUint64(p *uint64) uint64
func StoreUint64(p *uint64, v uint64)
func AddUint64(p *uint64, d uint64) uint64
func SwapUint64(p *uint64, v uint64) uint64
func CompareAndSwapUint64(p *uint64, old, v uint64) bool

type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64                      { return LoadUint64(&x.v) }
func (x *Uint64) Store(v uint64)                    { StoreUint64(&x.v, v) }
func (x *Uint64) Add(d uint64) uint64               { return AddUint64(&x.v, d) }
func (x *Uint64) Swap(v uint64) uint64              { return SwapUint64(&x.v, v) }
func (x *Uint64) CompareAndSwap(old, v uint64) bool { return CompareAndSwapUint64(&x.v, old, v) }

func LoadUintptr(p *uintptr) uintptr { return loadUintptr(p) }
func loadUintptr(p *uintptr) uintptr
func StoreUintptr(p *uintptr, v uintptr)
func AddUintptr(p *uintptr, d uintptr) uintptr
func SwapUintptr(p *uintptr, v uintptr) uintptr
func CompareAndSwapUintptr(p *uintptr, old, v uintptr) bool

type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr                      { return LoadUintptr(&x.v) }
func (x *Uintptr) Store(v uintptr)                    { StoreUintptr(&x.v, v) }
func (x *Uintptr) Add(d uintptr) uintptr              { return AddUintptr(&x.v, d) }
func (x *Uintptr) Swap(v uintptr) uintptr             { return SwapUintptr(&x.v, v) }
func (x *Uintptr) CompareAndSwap(old, v uintptr) bool { return CompareAndSwapUintptr(&x.v, old, v) }

type Bool struct{ v int32 }

func number(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (x *Bool) Load() bool       { return LoadInt32(&x.v) != 0 }
func (x *Bool) Store(b bool)     { StoreInt32(&x.v, number(b)) }
func (x *Bool) Swap(b bool) bool { return SwapInt32(&x.v, number(b)) != 0 }
func (x *Bool) CompareAndSwap(old, b bool) bool {
	return CompareAndSwapInt32(&x.v, number(old), number(b))
}

type Value struct{ v any }

func (x *Value) Load() any   { return x.v }
func (x *Value) Store(v any) { x.v = v }

type Pointer[T any] struct{ v *T }

func (x *Pointer[T]) Load() *T   { return x.v }
func (x *Pointer[T]) Store(v *T) { x.v = v }
func (x *Pointer[T]) CompareAndSwap(old, v *T) bool {
	if x.v != old {
		return false
	}
	x.v = v
	return true
}
