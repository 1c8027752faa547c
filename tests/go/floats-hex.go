package main

import (
	"fmt"
	"math"
	"strconv"
)

func main() {
	zero := 0.0
	for _, f := range []float64{1, -1, 0.1, 1.5, 255.99, 3.14159, 1e100, 1e-310, 5e-324, math.MaxFloat64, 0, -zero, math.Inf(1), 1.96875, 1.9999999, math.Copysign(0, -1)} {
		fmt.Printf("%x|%X|%.0x|%.1x|%.3X|%.13x|%.14x|%.15x|%.20x|%20x|%-20x|%020.2x|%+x|% x|%+025.3X\n", f, f, f, f, f, f, f, f, f, f, f, f, f, f, f)
		for _, prec := range []int{-1, 0, 1, 2, 5, 16} {
			fmt.Println(strconv.FormatFloat(f, 'x', prec, 64), strconv.FormatFloat(f, 'X', prec, 64), strconv.FormatFloat(f, 'x', prec, 32))
		}
		fmt.Printf("%x %X %.2x\n", float32(f), float32(f), float32(f))
	}
	fmt.Printf("%x %X %v\n", []float64{1, 2.5}, struct{ A float64 }{0.5}, math.NaN())
	fmt.Printf("%x %08x %+X\n", math.NaN(), math.Inf(-1), math.NaN())
}
