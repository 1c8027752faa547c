// LoadOrStore: one wins.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var m sync.Map
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.LoadOrStore("k", i)
		}()
	}
	wg.Wait()
	v, _ := m.Load("k")
	fmt.Println(v)
}
