// sync.Once runs its function once, even if it panics; OnceFunc, OnceValue and OnceValues keep the result.
package main

import (
	"fmt"
	"sync"
)

type config struct{ name string }

var (
	once     sync.Once
	instance *config
)

func get() *config {
	once.Do(func() {
		fmt.Println("created")
		instance = &config{"only one"}
	})
	return instance
}

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println(i, get().name)
		}()
	}
	wg.Wait()
	var p sync.Once
	try := func() {
		defer func() { fmt.Println("recovered", recover()) }()
		p.Do(func() { panic("once") })
	}
	try()
	try()
	f := sync.OnceFunc(func() { fmt.Println("once func") })
	f()
	f()
	v := sync.OnceValue(func() int { fmt.Println("compute"); return 42 })
	fmt.Println(v(), v())
	vs := sync.OnceValues(func() (string, error) { return "text", nil })
	fmt.Println(vs())
}
