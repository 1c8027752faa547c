// The circle is there from the start, but a minute of ticks comes first.
// finds: deadlock: main (waits-long.go:21) waits to receive from never
// clean with: <-never -> never = nil

package main

import "time"

func main() {
	never := make(chan bool)
	tick, end := time.NewTicker(time.Second), time.After(time.Minute)
	for more := true; more; {
		select {
		case <-tick.C:
		case <-end:
			more = false
		}
	}
	tick.Stop()
	_ = never
	<-never
}
