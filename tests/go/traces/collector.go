package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sync"
)

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	defer trace.Stop()
	debug.SetGCPercent(10)
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var keep [][]byte
			for k := 0; k < 3000; k++ {
				keep = append(keep, make([]byte, 4096))
				if k%500 == 0 {
					runtime.Gosched()
				}
			}
			runtime.KeepAlive(keep)
		}()
	}
	for i := 4; i > 0; i-- {
		runtime.GC()
		runtime.GOMAXPROCS(i) // Ps come and go while it is traced
	}
	runtime.GOMAXPROCS(3)
	wg.Wait()
}
