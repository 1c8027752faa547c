// Stop comes before the timer, or after it.
package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.NewTimer(100 * time.Microsecond)
	time.Sleep(95 * time.Microsecond)
	fmt.Println(t.Stop())
}
