// errgroup: the first error cancels the context of the group.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	var g errgroup.Group
	for i := range 3 {
		g.Go(func() error {
			fmt.Println("task", i)
			return nil
		})
	}
	fmt.Println(g.Wait())
	group, ctx := errgroup.WithContext(context.Background())
	for i := range 3 {
		group.Go(func() error {
			if i == 1 {
				return errors.New("task 1 failed")
			}
			select {
			case <-ctx.Done():
				fmt.Println("task", i, "stops:", ctx.Err())
				return ctx.Err()
			case <-time.After(5 * time.Second):
				return nil
			}
		})
	}
	fmt.Println(group.Wait())
	var limited errgroup.Group
	limited.SetLimit(2)
	for i := range 5 {
		limited.Go(func() error {
			fmt.Println("limited", i, "starts")
			time.Sleep(time.Duration(10*i+5) * time.Millisecond)
			fmt.Println("limited", i, "ends")
			return nil
		})
	}
	fmt.Println(limited.TryGo(func() error { return nil }))
	fmt.Println(limited.Wait())
}
