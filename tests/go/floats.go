// Floating point: rounding, infinities, NaN, conversion, printing.
package main

import (
	"fmt"
	"math"
)

func main() {
	a, b := 0.1, 0.2
	fmt.Println(a+b, a+b == 0.3, float32(a)+float32(b), float32(a)+float32(b) == 0.3)
	zero := 0.0
	fmt.Println(1/zero, -1/zero, zero/zero, zero/zero == zero/zero, -zero, 1/(-zero), math.Copysign(0, -1))
	nan := math.NaN()
	fmt.Println(nan == nan, nan < 1, nan > 1, nan != nan, math.IsNaN(nan), math.IsInf(math.Inf(1), 0), math.Inf(-1))
	m := map[float64]int{}
	m[nan] = 1
	m[nan] = 2
	fmt.Println(len(m), m[nan])
	fmt.Println(math.Sqrt(2), math.Pow(2, 10), math.Floor(-1.5), math.Ceil(1.2), math.Trunc(-1.7), math.Round(2.5), math.Abs(-3), math.Mod(7, 3))
	fmt.Println(math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, math.Pi, math.E)
	fmt.Println(math.Max(1, 2), math.Min(1, 2), math.Hypot(3, 4), math.Log(1), math.Log2(8), math.Exp(0), math.Cbrt(27))
	fmt.Println(1e100, 123456789.0, 1234567890123456789.0, 1e6, 1e20, 1e21, 0.000001, 0.0000001, 5e-324)
	fmt.Println(float32(16777216)+1, float32(1)/3, 1.0/3)
	fmt.Println(int64(1e18), int(a*29), int(-a*29), uint8(a*2559), float64(math.MaxInt64))
	var sum float32
	for i := 0; i < 10; i++ {
		sum += 0.1
	}
	fmt.Println(sum, sum == 1)
	total := 0.0
	for i := 1; i <= 1000; i++ {
		total += 1 / float64(i*i)
	}
	fmt.Println(total, math.Sqrt(6*total))
	x := 7.5
	x /= 2
	x *= 4
	x -= 0.5
	x++
	fmt.Println(x, -x, x > 15, x >= 15.5)
	fmt.Printf("%.3f %6.2f|%-8.1f|%e %g\n", math.Pi, math.E, 2.25, 1e6, 1e-10)
}
