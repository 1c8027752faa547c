// Dining philosophers who take the fork with the lower number first.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type philosopher struct {
	name        string
	left, right *sync.Mutex
	meals       int
}

func (p *philosopher) dine(n int, wg *sync.WaitGroup) {
	defer wg.Done()
	for ; n > 0; n-- {
		p.left.Lock()
		runtime.Gosched()
		p.right.Lock()
		p.meals++
		fmt.Println(p.name, "eats meal", p.meals)
		p.right.Unlock()
		p.left.Unlock()
	}
}

func main() {
	names := []string{"Plato", "Kant", "Hume", "Marx", "Sartre"}
	forks := make([]sync.Mutex, len(names))
	table := make([]*philosopher, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		l, r := i, (i+1)%len(names)
		if l > r {
			l, r = r, l
		}
		table[i] = &philosopher{name: name, left: &forks[l], right: &forks[r]}
		wg.Add(1)
		go table[i].dine(2, &wg)
	}
	wg.Wait()
	total := 0
	for _, p := range table {
		total += p.meals
	}
	fmt.Println(total, "meals")
}
