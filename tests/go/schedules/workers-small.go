// Two workers share three jobs.
package main

import "fmt"

func main() {
	jobs, results := make(chan int, 3), make(chan string, 3)
	for w := 1; w <= 2; w++ {
		go func() {
			for j := range jobs {
				results <- fmt.Sprint(w, ":", j, " ")
			}
		}()
	}
	for j := 0; j < 3; j++ {
		jobs <- j
	}
	close(jobs)
	for j := 0; j < 3; j++ {
		fmt.Print(<-results)
	}
	fmt.Println()
}
