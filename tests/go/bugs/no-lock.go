// Two goroutines add to a number without a lock. Whichever comes first, and whether it reads or writes, it is one kind of race.
// finds: data race on from.money
// clean with: run(&b, &a, &wg) -> run(&c, &d, &wg)

package main

import "sync"

type purse struct{ money int }

func run(from, to *purse, wg *sync.WaitGroup) {
	defer wg.Done()
	from.money--
	to.money++
}

func main() {
	var a, b, c, d purse
	var wg sync.WaitGroup
	wg.Add(2)
	go run(&a, &b, &wg)
	go run(&b, &a, &wg)
	wg.Wait()
	_, _ = c, d
}
