package main

import "fmt"

func again() {
	if x := recover(); x != nil {
		fmt.Println("again")
		panic(x)
	}
}

func f() { panic("boom") }

func main() {
	defer again()
	f()
}
