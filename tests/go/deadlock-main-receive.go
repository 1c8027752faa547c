// main waits for a value that nobody sends.
package main

import "fmt"

func main() {
	c := make(chan string)
	fmt.Println("waiting")
	fmt.Println(<-c)
}
