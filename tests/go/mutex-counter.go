// A mutex protects a counter; the map in the struct, too.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type counters struct {
	sync.Mutex
	n map[string]int
}

func (c *counters) add(name string) {
	c.Lock()
	defer c.Unlock()
	v := c.n[name]
	runtime.Gosched()
	c.n[name] = v + 1
}

func main() {
	c := counters{n: map[string]int{}}
	var wg sync.WaitGroup
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func(name string) {
			defer wg.Done()
			for j := 0; j < 5; j++ {
				c.add(name)
			}
		}([]string{"even", "odd"}[i%2])
	}
	wg.Wait()
	fmt.Println(c.n, c.TryLock(), c.TryLock())
	c.Unlock()
}
