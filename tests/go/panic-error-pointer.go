// An uncaught panic with a value of this kind.
package main

import "strconv"

type problem struct{ n int }

func (p *problem) Error() string { return "problem " + strconv.Itoa(p.n) }

func main() {
	panic(error(&problem{9}))
}
