// In a module before Go 1.24, rand.Seed makes the numbers of the package repeatable.
package main

import (
	"fmt"
	"math/rand"
)

func main() {
	rand.Seed(42)
	fmt.Println(rand.Intn(1000), rand.Float64(), rand.Perm(5), rand.NormFloat64())
	rand.Shuffle(4, func(i, j int) { fmt.Print(i, j, " ") })
	rand.Seed(7)
	fmt.Println(rand.Int63(), rand.Uint32(), rand.Int31n(10))
}
