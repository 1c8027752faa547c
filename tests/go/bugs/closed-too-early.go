// Main closes the channel while a G may still send.
// finds: panic: send on closed channel: main.func1 (closed-too-early.go:11)
// clean with: close(out) -> _ = 0

package main

func main() {
	out := make(chan int, 1)
	done := make(chan bool)
	go func() {
		out <- 1
		done <- true
	}()
	close(out)
	<-done
}
