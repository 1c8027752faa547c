// Every method of a generator with a seed, in both versions of the package.
package main

import (
	"fmt"
	"math/rand"
	v2 "math/rand/v2"
)

func main() {
	r := rand.New(rand.NewSource(42))
	fmt.Println(r.Int(), r.Intn(10), r.Float64(), r.Float32(), r.Perm(6), r.Int31n(7), r.Int63n(1e12), r.Uint32(), r.Uint64())
	r.Shuffle(3, func(i, j int) { fmt.Print(i, j, " ") })
	b := make([]byte, 5)
	r.Read(b[:2])
	r.Read(b[2:])
	fmt.Println(b, rand.NewZipf(r, 1.5, 2, 100).Uint64())
	s := v2.New(v2.NewPCG(1, 2))
	fmt.Println(s.Int(), s.IntN(10), s.Float64(), s.Float32(), s.Perm(6), s.Int32N(7), s.Int64N(1e12), s.Uint32(), s.Uint64(), s.Uint32N(9), s.Uint64N(1<<40), s.UintN(12))
	for range 500 { // the rare cases at the ends of the tables, too
		fmt.Print(r.NormFloat64(), r.ExpFloat64(), s.NormFloat64(), s.ExpFloat64(), " ")
	}
	fmt.Println()
	rand.Seed(42) // without effect since Go 1.24
	fmt.Println(rand.Intn(10) < 10, v2.N(10) < 10)
}
