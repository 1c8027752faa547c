package main

import (
	"os"
	"runtime/trace"
	"sync"
	"syscall"
	"time"
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
	in, out := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range in {
				for k := 0; k < 20000; k++ {
					v += k
				}
				out <- v
			}
		}()
	}
	go func() {
		for i := 0; i < 200; i++ {
			in <- i
		}
		close(in)
	}()
	for i := 0; i < 200; i++ {
		<-out
	}
	wg.Wait()
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t := syscall.Timespec{Nsec: 30000000} // long enough to lose its P
			syscall.Nanosleep(&t, nil)
		}()
	}
	wg.Wait()
	time.Sleep(time.Millisecond)
}
