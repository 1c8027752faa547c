package main

import "sync"

type T struct {
	n int
	s string
	v any
	p *T
}

var x int
var t = &T{}
var sl []int

func main() {
	var wg sync.WaitGroup
	arr := make([]string, 8)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 300; k++ {
				x++
				t.n += x
				t.s = arr[k%8] + "a"
				arr[k%8] = string(rune('a' + k%20))
				t.v = k
				t = &T{n: k, p: t, s: t.s}
				sl = append(sl, k)
				if len(sl) > 10 {
					copy(sl, sl[3:])
					sl = sl[:4]
				}
				if y, ok := t.v.(int); ok {
					x += y
				}
			}
		}()
	}
	wg.Wait()
}
