// Each verb with each flag, width and precision, of values of each kind. A line has a checksum of what a verb makes of a value.
package main

import (
	"errors"
	"fmt"
	"math"
	"time"
)

type named string
type celsius float64
type point struct {
	X, Y int
	name string
}
type stringer int

func (s stringer) String() string { return fmt.Sprintf("<%d>", int(s)) }

type syntax struct{}

func (syntax) GoString() string { return "syntax!" }

type list []byte

func sum(text string, s uint32) uint32 {
	for i := range len(text) {
		s = (s ^ uint32(text[i])) * 16777619
	}
	return s
}

func main() {
	values := []any{
		0, -42, int8(-128), uint8(200), uint64(1<<64 - 1), uintptr(48), 'x', '世', rune(-5), rune(0x10ffff + 1),
		0.0, math.Copysign(0, -1), -1.5, 1e6, 123456789.0, 1e21, 1e-7, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
		float32(0.1), float32(1e-45), celsius(255.9375),
		"", "a\tb\"q", "世界", "back`tick", "\xff\xfe", "é\u200b", named("n"), true,
		[]byte("hi"), list(nil), [3]byte{1, 2, 3}, []int{1, -2}, []string{"a", "b c"}, map[string]int{"b": 2, "a": 1}, map[int]bool(nil),
		point{1, -2, "n"}, &point{3, 4, ""}, struct{}{}, []any{1, "a", nil, 2.5}, (*point)(nil), [][]int{{1}, nil},
		stringer(3), []stringer{1}, syntax{}, errors.New("e"), time.Second, nil,
	}
	flags := []string{"", "+", "-", "#", "0", " ", "+#", "-0", "# ", "#0"}
	sizes := []string{"", "9", "30", ".", ".2", "9.3", "30.17"}
	for i, v := range values {
		for _, verb := range "vdsqxXobOUceEfFgGtTz" {
			s := uint32(2166136261)
			for _, f := range flags {
				for _, size := range sizes {
					s = sum(fmt.Sprintf("%"+f+size+string(verb), v), s)
				}
			}
			fmt.Printf("%d %c %08x\n", i, verb, s)
		}
	}
}
