// main does not wait: what the others print may be lost.
package main

import "fmt"

func main() {
	for i := 0; i < 3; i++ {
		go fmt.Println(i)
	}
	fmt.Println("main")
}
