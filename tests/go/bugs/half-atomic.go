// One G counts with sync/atomic, the other reads without. Whichever comes first, the report has the variable's name.
// finds: data race on s.hits: G
// clean with: _ = s.hits -> _ = atomic.LoadInt64(&s.hits)

package main

import "sync/atomic"

type stats struct{ hits int64 }

func main() {
	var s stats
	done := make(chan bool)
	go func() {
		atomic.AddInt64(&s.hits, 1)
		done <- true
	}()
	_ = s.hits
	<-done
}
