// Two timers at the same time, and one a little later.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	for _, d := range []time.Duration{1000, 1000, 1020} {
		time.AfterFunc(d*time.Microsecond, func() {
			fmt.Print(int64(d), " ")
			wg.Done()
		})
	}
	wg.Wait()
	fmt.Println()
}
