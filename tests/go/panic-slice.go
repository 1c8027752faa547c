// An uncaught panic with a value of this kind.
package main

func main() {
	panic([]int{1})
}
