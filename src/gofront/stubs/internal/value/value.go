// Package value is how the library looks into a value whose type it does not know. The interpreter answers.
package value

// Kinds of types, in the order of the interpreter's. Nil is no type at all.
const (
	Bool = iota
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	String
	UntypedNil
	Pointer
	Slice
	Chan
	Array
	Map
	Struct
	Interface
	Func
	Nil = -1
)

func Kind(v any) int
func ElemKind(v any) int
func TypeName(v any) string

// Len counts the elements of a list and the fields of a struct. Part is one of them, or what a pointer points to.
func Len(v any) int
func Part(v any, i int) any
func PartType(v any, i int) string
func Field(v any, i int) (name string, exported bool)

// Entries are the keys of a map, each before its value, in no order that a program may rely on.
func Entries(m any) []any

// Bits is the first cell of a value: the number, or the address.
func Bits(v any) int

// Assign sets *target if v has its type, or implements it. pointer: target is a pointer and not nil.
func Assign(v, target any) (ok, pointer bool)

// Swap swaps two elements of a slice.
func Swap(v any, i, j int)

// Comparable says that == does not panic for the value.
func Comparable(v any) bool

// GoLine is 21 for a program whose go.mod says go 1.21.
func GoLine() int

// Leaf formats a value without parts. It does not if the verb does not fit.
func Leaf(v any, verb rune, flags string, width, precision int) (s string, fits bool)

// Less orders keys of maps as Go prints them: nil first, then type by type; structs and arrays part by part.
func Less(a, b any) bool { return compare(a, b) < 0 }

func compare(a, b any) int {
	if x, y := rank(a), rank(b); x != y {
		return order(x > y, x < y)
	}
	if x, y := TypeName(a), TypeName(b); x != y {
		return order(x > y, x < y)
	}
	switch Kind(a) {
	case String:
		x, _ := Leaf(a, 's', "", -1, -1)
		y, _ := Leaf(b, 's', "", -1, -1)
		return order(x > y, x < y)
	case Uint, Uint64, Uintptr:
		x, y := uint64(Bits(a)), uint64(Bits(b))
		return order(x > y, x < y)
	case Float32, Float64:
		return compareFloats(a, b)
	case Struct, Array:
		if x, y := Len(a), Len(b); x != y {
			return order(x > y, x < y)
		}
		for i := 0; i < Len(a); i++ {
			if c := compare(Part(a, i), Part(b, i)); c != 0 {
				return c
			}
		}
		return 0
	}
	x, y := Bits(a), Bits(b)
	return order(x > y, x < y)
}

// rank puts a value's type where Go's linker puts it: small descriptions first, of the named types before the plain ones.
func rank(v any) int {
	kinds := [...]int{Bool: 35, Int: 29, Int8: 21, Int16: 23, Int32: 25, Int64: 27, Uint: 30, Uint8: 22, Uint16: 24, Uint32: 26, Uint64: 28, Uintptr: 31,
		Float32: 33, Float64: 34, String: 20, Pointer: 2, Chan: 36, Array: 37, Struct: 38, Func: 39}
	k := Kind(v)
	if k == Nil {
		return 0
	}
	for _, c := range TypeName(v) {
		if c == '.' && k <= String {
			return 3
		}
	}
	return kinds[k]
}

func order(more, less bool) int {
	switch {
	case more && !less:
		return 1
	case less && !more:
		return -1
	}
	return 0
}

// floatOf makes the number of the bits.
func floatOf(bits int) float64

func compareFloats(a, b any) int {
	x, y := floatOf(Bits(a)), floatOf(Bits(b))
	return order(x > y || (x == x && y != y), x < y || (x != x && y == y))
}
