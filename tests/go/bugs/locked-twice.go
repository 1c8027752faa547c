// A method locks what its caller holds.
// finds: deadlock: main (locked-twice.go:22) waits for mutex cache.mu, which it holds itself
// clean with: return c.size() -> return len(c.items)

package main

import "sync"

type cache struct {
	mu    sync.Mutex
	items map[string]int
}

func (c *cache) put(k string, v int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[k] = v
	return c.size()
}

func (c *cache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items)
}

func main() {
	c := &cache{items: map[string]int{}}
	c.put("a", 1)
}
