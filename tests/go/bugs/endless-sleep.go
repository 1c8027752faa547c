// It sleeps between two looks at what nobody changes.
// finds: endless loop: main (endless-sleep.go:
// clean with: n := 1 -> n := 0
package main

import "time"

func main() {
	n := 1
	for n > 0 {
		time.Sleep(time.Millisecond)
	}
}
