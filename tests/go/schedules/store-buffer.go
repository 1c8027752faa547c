// Each stores and then reads the other's: with sync/atomic not both can read 0.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y, a, b atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { x.Store(1); a.Store(y.Load()); wg.Done() }()
	go func() { y.Store(1); b.Store(x.Load()); wg.Done() }()
	wg.Wait()
	fmt.Println(a.Load(), b.Load())
}
