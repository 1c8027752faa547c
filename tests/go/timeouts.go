// A call with a time limit: the slow answer is dropped into a buffered channel.
package main

import (
	"errors"
	"fmt"
	"time"
)

var errTimeout = errors.New("timeout")

func ask(d, limit time.Duration) (string, error) {
	c := make(chan string, 1)
	go func() {
		time.Sleep(d)
		c <- fmt.Sprint("answer after ", d)
	}()
	select {
	case s := <-c:
		return s, nil
	case <-time.After(limit):
		return "", fmt.Errorf("ask %v: %w", d, errTimeout)
	}
}

func main() {
	fmt.Println(ask(10*time.Millisecond, 200*time.Millisecond))
	_, err := ask(300*time.Millisecond, 20*time.Millisecond)
	fmt.Println(err, errors.Is(err, errTimeout))
	for attempt := 1; attempt <= 3; attempt++ {
		if s, err := ask(time.Duration(4-attempt)*100*time.Millisecond, 150*time.Millisecond); err == nil {
			fmt.Println("attempt", attempt, s)
			break
		}
		fmt.Println("attempt", attempt, "failed")
	}
}
