// The same as hog-and-stop.yaml: who goes on when the world has been stopped. main waits in loops, so that it keeps P0.
package hogandstop

import (
	"runtime"
	"sync/atomic"
)

var started, stopped, ended int32

func Main() {
	var stats runtime.MemStats
	go a()
	for atomic.LoadInt32(&started) == 0 {
	}
	runtime.ReadMemStats(&stats) // stops the world
	atomic.StoreInt32(&stopped, 1)
	for atomic.LoadInt32(&ended) < 3 {
	}
}

func a() {
	go twice("B")
	go twice("C")
	println("A")
	atomic.StoreInt32(&started, 1)
	for !isStopped() {
	}
	println("A")
	atomic.AddInt32(&ended, 1)
}

// isStopped checks the stack, which is where a goroutine sees that it must stop.
//
//go:noinline
func isStopped() bool {
	var room [1024]byte
	room[int(started)] = byte(stopped)
	return atomic.LoadInt32(&stopped) != 0 && room[int(started)] != 2
}

func twice(name string) {
	println(name)
	println(name)
	atomic.AddInt32(&ended, 1)
}
