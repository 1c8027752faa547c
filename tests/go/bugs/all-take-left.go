// Each philosopher takes the fork on the left first. Whoever comes first, the forks have one name, and the deadlock is of one kind.
// finds: deadlock: table.dine (all-take-left.go:17) waits for mutex fork.Mutex, held by table.dine; table.dine (all-take-left.go:17) waits for mutex fork.Mutex, held by table.dine
// clean with: left, right := i, (i+1)%len(t) -> left, right := min(i, (i+1)%len(t)), max(i, (i+1)%len(t))

package main

import "sync"

type fork struct{ sync.Mutex }
type table []*fork

func (t table) dine(i int, done *sync.WaitGroup) {
	defer done.Done()
	left, right := i, (i+1)%len(t)
	first, second := t[left], t[right]
	first.Lock()
	second.Lock()
	second.Unlock()
	first.Unlock()
}

func main() {
	var done sync.WaitGroup
	t := table{{}, {}}
	done.Add(len(t))
	for i := range t {
		go t.dine(i, &done)
	}
	done.Wait()
}
