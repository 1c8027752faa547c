// A data race: the flag may be seen before the value is used, or a wrong sum is printed.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	a, b := 0, 0
	wg.Add(2)
	go func() {
		defer wg.Done()
		a = 1
		b = 1
	}()
	go func() {
		defer wg.Done()
		x := b
		y := a
		fmt.Println(x, y)
	}()
	wg.Wait()
}
