package main

import (
	"fmt"
	"math"
)

func main() {
	for _, x := range []float64{0.1, 1, 2.5, 10, 1e6, 1e300, -3} {
		fmt.Println(math.Sin(x), math.Cos(x), math.Tan(x), math.Log(x), math.Log2(x), math.Log10(x), math.Atan(x), math.Cbrt(x), math.Sqrt(x))
	}
}
