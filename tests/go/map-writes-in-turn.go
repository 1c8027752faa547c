// Two goroutines write to a map, one after the other at one P, so Go notices nothing.
package main

import "fmt"

func main() {
	m := map[int]int{}
	done := make(chan bool)
	for i := range 2 {
		go func() {
			for j := range 100 {
				m[j] = i
			}
			done <- true
		}()
	}
	<-done
	<-done
	fmt.Println(len(m))
}
