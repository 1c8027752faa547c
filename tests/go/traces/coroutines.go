package main

import (
	"iter"
	"os"
	"runtime/trace"
)

func count(yield func(int) bool) {
	for i := 0; i < 50; i++ {
		if !yield(i) {
			return
		}
	}
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	defer trace.Stop()
	next, stop := iter.Pull(count)
	for i := 0; i < 60; i++ {
		next()
	}
	stop()
}
