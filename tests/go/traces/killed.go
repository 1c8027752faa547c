package main

import (
	"os"
	"runtime/trace"
	"time"
)

// It dies while it is traced: the trace has no end.
func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	for i := 0; i < 30; i++ {
		go func() { time.Sleep(time.Hour) }()
	}
	time.Sleep(1500 * time.Millisecond) // a generation takes a second
	panic("in the middle")
}
