// The same as first-p.yaml: the P on which the first goroutine runs. main waits in a loop, so that it keeps P0.
package firstp

import (
	"runtime"
	"sync/atomic"
	_ "unsafe" // for linkname
)

var ended int32

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

func Main() {
	runtime.GOMAXPROCS(4)
	go worker()
	for atomic.LoadInt32(&ended) == 0 {
	}
}

func worker() {
	p := procPin()
	procUnpin()
	println(p)
	atomic.StoreInt32(&ended, 1)
}
