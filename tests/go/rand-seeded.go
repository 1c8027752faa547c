// Sources with a seed give Go's own numbers, and random numbers without one are in their range.
package main

import (
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
)

func main() {
	for _, seed := range []int64{42, 0, -7, 1 << 40} {
		r := rand.New(rand.NewSource(seed))
		fmt.Println(r.Int63(), r.Uint64(), r.Int31(), r.Uint32(), r.Int(), r.Intn(100), r.Intn(64), r.Int63n(1<<40+3), r.Int31n(7), r.Float64(), r.Float32())
		fmt.Println(r.Perm(8))
		s := []int{1, 2, 3, 4, 5, 6, 7}
		r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		fmt.Println(s)
		r.Seed(3)
		fmt.Println(r.Intn(1000))
	}
	p := randv2.New(randv2.NewPCG(1, 2))
	fmt.Println(p.Uint64(), p.Int64(), p.Uint32(), p.Int32(), p.IntN(10), p.IntN(16), p.Int64N(1<<40+1), p.Float64(), p.Float32(), p.Perm(5))
	for range 100 {
		if n := rand.Intn(6); n < 0 || n > 5 {
			fmt.Println(n)
		}
		if f := rand.Float64(); f < 0 || f >= 1 {
			fmt.Println(f)
		}
		if n := randv2.N(10); n < 0 || n > 9 {
			fmt.Println(n)
		}
	}
	seen := map[int]bool{}
	for range 200 {
		seen[randv2.IntN(4)] = true
	}
	fmt.Println(len(seen), len(rand.Perm(5)))
	defer func() { fmt.Println(recover()) }()
	rand.Intn(0)
}
