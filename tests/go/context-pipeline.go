// A generator that ends when its reader has enough.
package main

import (
	"context"
	"fmt"
	"time"
)

func generate(ctx context.Context) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		defer fmt.Println("generator ends")
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case c <- n:
			}
		}
	}()
	return c
}

func slow(ctx context.Context, d time.Duration) (string, error) {
	select {
	case <-time.After(d):
		return "finished", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	c := generate(ctx)
	for n := range c {
		fmt.Println(n)
		if n == 4 {
			break
		}
	}
	cancel()
	for range c {
	}
	ctx, cancel = context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	fmt.Println(slow(ctx, 10*time.Millisecond))
	fmt.Println(slow(ctx, 10*time.Second))
}
