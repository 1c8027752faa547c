// Nobody cancels the context for which the worker waits.
// finds: leak: work (not-cancelled.go:10) waits to receive from ctx
// clean with: _ = cancel -> cancel()

package main

import "context"

func work(ctx context.Context) {
	<-ctx.Done()
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go work(ctx)
	_ = cancel
}
