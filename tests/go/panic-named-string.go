// An uncaught panic with a value of this kind.
package main

type name string

func main() {
	panic(name("n"))
}
