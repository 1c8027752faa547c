// Package log writes to stderr; without flags its lines have no time.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.Println("a line", 1, 2)
	log.Printf("formatted %d", 3)
	log.SetPrefix("prefix: ")
	log.Print("printed")
	fmt.Fprintln(os.Stderr, "to stderr")
	fmt.Fprintf(os.Stdout, "to stdout %d\n", 1)
	l := log.New(os.Stdout, "[app] ", 0)
	l.Println("own logger")
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		log.Panicf("bad %d", 4)
	}()
	defer fmt.Println("not printed")
	log.Fatal("the end")
}
