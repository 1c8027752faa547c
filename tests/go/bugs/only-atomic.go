// What the library keeps for itself is no memory of the program: a Cond that is signalled without its lock, and a log that is set up while others write.
// clean

package main

import (
	"fmt"
	"io"
	"log"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := 0
	log.SetOutput(io.Discard)
	for range 2 {
		go func() {
			log.SetPrefix("worker ")
			log.SetFlags(log.Lmsgprefix)
			log.SetOutput(io.Discard)
			mu.Lock()
			ready++
			mu.Unlock()
			log.Print("ready", log.Flags(), log.Prefix())
			cond.Signal()
		}()
	}
	mu.Lock()
	for ready < 2 {
		cond.Wait()
	}
	mu.Unlock()
	log.Print("all are")
	fmt.Println("ready")
}
