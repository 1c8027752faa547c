// main computes for ever, and nothing that it reads can change.
// finds: endless loop: main (endless-main.go:
// clean with: stop := false -> stop := true
package main

import "fmt"

func main() {
	stop := false
	go fmt.Println("other")
	for !stop {
	}
}
