// An uncaught panic with a value of this kind.
package main

type day int

func (d day) String() string { return "Wednesday" }

func main() {
	panic(day(3))
}
