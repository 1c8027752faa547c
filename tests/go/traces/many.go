package main

import (
	"os"
	"runtime/trace"
	"sync"
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
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan bool)
	for i := 0; i < 3000; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-start
			mu.Lock()
			mu.Unlock()
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
			}
		}()
	}
	close(start)
	wg.Wait()
}
