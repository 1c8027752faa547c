// Package signal: no signal comes to a program. Those that gmpscope gets end gmpscope.
package signal

import (
	"context"
	"os"
)

func Notify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
}

func Stop(c chan<- os.Signal)  {}
func Ignore(sig ...os.Signal)  {}
func Reset(sig ...os.Signal)   {}
func Ignored(s os.Signal) bool { return false }

func NotifyContext(parent context.Context, sig ...os.Signal) (context.Context, context.CancelFunc) {
	return context.WithCancel(parent)
}
