// A select with a default polls a channel on which nobody sends.
// finds: endless loop: main (endless-poll.go:
// clean with: go func() {} -> go func() { c <- 1 }
package main

func main() {
	c := make(chan int)
	go func() {}()
	for {
		select {
		case <-c:
			return
		default:
		}
	}
}
