// A module with the line "go 1.21" has one loop variable for all iterations.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	for _, s := range []string{"a", "b"} {
		fs = append(fs, func() int { return len(s) + int(s[0]) })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
	var wg sync.WaitGroup
	wg.Add(3)
	for i := range []int{5, 6, 7} {
		go func() {
			defer wg.Done()
			fmt.Println("goroutine sees", i)
		}()
	}
	wg.Wait()
}
