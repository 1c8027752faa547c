// Package variables are initialised in the order of their dependencies, then the init functions run, then main.
package main

import "fmt"

var (
	a = b + c()
	b = trace("b", 1)
	d = func() int { fmt.Println("d"); return e * 2 }()
	e = trace("e", 10)
)

var x, y = pair()
var _ = trace("blank", 0)
var table = map[string]func() int{"a": func() int { return a }}

func pair() (int, int) { fmt.Println("pair"); return b, d }
func c() int           { return trace("c", e) }

func trace(name string, v int) int {
	fmt.Println("initialise", name)
	return v
}

func init() { fmt.Println("first init", a, b, d, e); a++ }

type config struct{ level int }

var current = &config{level: 3}

func init() { fmt.Println("second init", a, x, y, current.level) }

func main() { fmt.Println("main", table["a"]()) }
