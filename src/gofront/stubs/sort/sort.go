// Package sort. How it sorts is Go's own: the front end adds these files of the person's Go.
//
//gofront:goroot sort/zsortinterface.go sort/zsortfunc.go
package sort

import "internal/value"

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

// What the sort's files use.
type sortedHint int

const (
	unknownHint sortedHint = iota
	increasingHint
	decreasingHint
)

type xorshift uint64

func (r *xorshift) Next() uint64 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return uint64(*r)
}

func bits(n int) (b int) {
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}

func nextPowerOfTwo(length int) uint { return 1 << bits(length) }

type lessSwap struct {
	Less func(i, j int) bool
	Swap func(i, j int)
}

func Sort(data Interface)   { pdqsort(data, 0, data.Len(), bits(data.Len())) }
func Stable(data Interface) { stable(data, data.Len()) }

func IsSorted(data Interface) bool {
	for i := data.Len() - 1; i > 0; i-- {
		if data.Less(i, i-1) {
			return false
		}
	}
	return true
}

// swapper panics as Go's does if x is not a slice.
func swapper(x any) func(i, j int) {
	if value.Kind(x) != value.Slice {
		panic("reflect: call of Swapper on " + value.TypeName(x) + " Value")
	}
	return func(i, j int) { value.Swap(x, i, j) }
}

func Slice(x any, less func(i, j int) bool) {
	n := value.Len(x)
	pdqsort_func(lessSwap{less, swapper(x)}, 0, n, bits(n))
}

func SliceStable(x any, less func(i, j int) bool) {
	stable_func(lessSwap{less, swapper(x)}, value.Len(x))
}

func SliceIsSorted(x any, less func(i, j int) bool) bool {
	for i := value.Len(x) - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}

type reverse struct{ Interface }

func (r reverse) Less(i, j int) bool { return r.Interface.Less(j, i) }

func Reverse(data Interface) Interface { return &reverse{data} }

type IntSlice []int

func (x IntSlice) Len() int           { return len(x) }
func (x IntSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x IntSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x IntSlice) Sort()              { Sort(x) }

type Float64Slice []float64

func (x Float64Slice) Len() int           { return len(x) }
func (x Float64Slice) Less(i, j int) bool { return x[i] < x[j] || (x[i] != x[i] && x[j] == x[j]) }
func (x Float64Slice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x Float64Slice) Sort()              { Sort(x) }

type StringSlice []string

func (x StringSlice) Len() int           { return len(x) }
func (x StringSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x StringSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x StringSlice) Sort()              { Sort(x) }

func Ints(x []int)                       { Sort(IntSlice(x)) }
func Float64s(x []float64)               { Sort(Float64Slice(x)) }
func Strings(x []string)                 { Sort(StringSlice(x)) }
func IntsAreSorted(x []int) bool         { return IsSorted(IntSlice(x)) }
func StringsAreSorted(x []string) bool   { return IsSorted(StringSlice(x)) }
func Float64sAreSorted(x []float64) bool { return IsSorted(Float64Slice(x)) }
func SearchInts(a []int, x int) int      { return Search(len(a), func(i int) bool { return a[i] >= x }) }
func SearchStrings(a []string, x string) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

func Search(n int, f func(int) bool) int {
	i, j := 0, n
	for i < j {
		h := int(uint(i+j) >> 1)
		if !f(h) {
			i = h + 1
		} else {
			j = h
		}
	}
	return i
}

func Find(n int, cmp func(int) int) (i int, found bool) {
	i = Search(n, func(k int) bool { return cmp(k) <= 0 })
	return i, i < n && cmp(i) == 0
}
