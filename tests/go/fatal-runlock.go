// RUnlock without RLock is a fatal error.
package main

import "sync"

type cache struct{ mu sync.RWMutex }

func (c *cache) leave() { c.mu.RUnlock() }

func main() {
	defer recover()
	c := &cache{}
	c.leave()
}
