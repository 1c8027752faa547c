package main

import "sync"

type T struct {
	n int
	s string
	a [3]int
}
type I interface{ M(int) int }

func (t *T) M(k int) int { t.n += k; t.a[k%3]++; return t.n }

var total int

func work(c chan T, i I, wg *sync.WaitGroup) {
	defer wg.Done()
	defer func() { recover() }()
	for t := range c {
		total += i.M(t.n) / (t.n - 2)
	}
}

func main() {
	var wg sync.WaitGroup
	c := make(chan T, 1)
	m := map[string]int{"a": 1}
	t := &T{s: "x"}
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go work(c, t, &wg)
	}
	for i := range 4 {
		select {
		case c <- T{n: i, s: string(rune('a' + i))}:
		default:
			m[t.s+"y"]++
		}
	}
	close(c)
	wg.Wait()
	s := []int{1, 2}
	s = append(s, total, len(m))
	copy(s[1:], s)
	for k, v := range m {
		println(k, v, s[0]<<uint(v), uint8(s[1])>>1)
	}
}
