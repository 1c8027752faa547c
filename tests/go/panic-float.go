// An uncaught panic with a value of this kind.
package main

func main() {
	panic(2.5)
}
