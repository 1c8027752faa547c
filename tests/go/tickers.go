// A ticker fires again and again; Stop does not close its channel.
package main

import (
	"fmt"
	"time"
)

func main() {
	ticker := time.NewTicker(20 * time.Millisecond)
	done := time.After(130 * time.Millisecond)
	n := 0
loop:
	for {
		select {
		case <-ticker.C:
			n++
			fmt.Println("tick", n)
			if n == 3 {
				ticker.Reset(30 * time.Millisecond)
			}
		case <-done:
			break loop
		}
	}
	ticker.Stop()
	select {
	case <-ticker.C:
		fmt.Println("not here")
	case <-time.After(40 * time.Millisecond):
		fmt.Println("stopped after", n)
	}
	i := 0
	for range time.Tick(10 * time.Millisecond) {
		i++
		if i == 3 {
			break
		}
	}
	fmt.Println("ticks", i)
	defer func() { fmt.Println(recover()) }()
	time.NewTicker(0)
}
