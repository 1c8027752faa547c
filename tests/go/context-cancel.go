// Cancelling a context ends the goroutines that watch it, and its children.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type key string

func worker(ctx context.Context, id int, wg *sync.WaitGroup) {
	defer wg.Done()
	<-ctx.Done()
	fmt.Println("worker", id, ctx.Err(), ctx.Value(key("user")))
}

func main() {
	root := context.WithValue(context.Background(), key("user"), "ann")
	ctx, cancel := context.WithCancel(root)
	child, cancelChild := context.WithTimeout(ctx, time.Hour)
	defer cancelChild()
	var wg sync.WaitGroup
	wg.Add(3)
	go worker(ctx, 1, &wg)
	go worker(child, 2, &wg)
	go worker(context.WithValue(child, key("user"), "bob"), 3, &wg)
	fmt.Println(ctx.Err(), child.Err(), root.Err(), ctx.Value(key("none")))
	cancel()
	cancel()
	wg.Wait()
	fmt.Println(errors.Is(child.Err(), context.Canceled), context.Cause(child))
	short, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	select {
	case <-short.Done():
		fmt.Println(short.Err(), errors.Is(short.Err(), context.DeadlineExceeded))
	case <-time.After(5 * time.Second):
		fmt.Println("never")
	}
	_, has := short.Deadline()
	_, hasNot := root.Deadline()
	fmt.Println(has, hasNot, root.Done() == nil)
	because, why := context.WithCancelCause(context.Background())
	why(errors.New("the reason"))
	fmt.Println(because.Err(), context.Cause(because))
	already, c := context.WithCancel(because)
	defer c()
	fmt.Println(already.Err(), context.Cause(already))
	after, trigger := context.WithCancel(context.Background())
	done := make(chan bool)
	stopF := context.AfterFunc(after, func() { fmt.Println("after func"); close(done) })
	trigger()
	<-done
	fmt.Println(stopF(), context.WithoutCancel(after).Err())
	fmt.Println(context.Background(), context.TODO())
	past, p := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer p()
	fmt.Println(past.Err())
}
