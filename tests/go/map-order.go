// A loop over a map begins anywhere, sees each entry once, and may add and delete.
package main

import (
	"fmt"
	"sort"
)

func main() {
	m := map[int]string{}
	for i := range 5 {
		m[i] = fmt.Sprint("v", i)
	}
	firsts := map[int]bool{}
	for range 300 {
		var keys []int
		for k := range m {
			keys = append(keys, k)
		}
		firsts[keys[0]] = true
		sort.Ints(keys)
		if len(keys) != 5 || keys[0] != 0 || keys[4] != 4 {
			fmt.Println(keys)
		}
	}
	fmt.Println(len(firsts))
	for size := range 200 {
		m := map[int]int{}
		for i := range size {
			m[i] = i
			if i%3 == 0 {
				delete(m, i)
			}
		}
		n, sum := 0, 0
		for k, v := range m {
			n++
			sum += v
			delete(m, k)
			m[1000+k] = 0
			delete(m, 1000+k)
			if k%7 == 0 {
				m[k+500] = 0
			}
		}
		for k := range m {
			if k < 500 {
				fmt.Println("left", k)
			}
		}
		if size%50 == 49 {
			fmt.Println(size, sum, n >= size-(size+2)/3)
		}
	}
	seen := map[int]int{}
	big := map[int]bool{}
	for i := range 100 {
		big[i] = true
	}
	for k := range big {
		seen[k]++
		if len(big) < 2000 {
			for i := range 50 {
				big[k*1000+i+1000] = true
			}
		}
	}
	for i := range 100 {
		if seen[i] != 1 {
			fmt.Println("not once", i, seen[i])
		}
	}
	for k := range big {
		delete(big, k)
	}
	fmt.Println(len(big))
	clear(m)
	m[1] = "again"
	for k, v := range m {
		fmt.Println(k, v)
	}
}
