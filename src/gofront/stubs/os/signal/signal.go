// Package signal: no signal comes to a program. Those that gmpscope gets end gmpscope.
package signal

import (
	"context"
	"os"
	"sync"
	"time"
)

// refuse ends the run.
func refuse(what string)

var once sync.Once

// expect makes sure that the program is no deadlock any more, as in Go: a timer that fires when there is nothing else to wait for ends the run.
func expect() {
	once.Do(func() {
		const year = time.Duration(1 << 55)
		time.AfterFunc(year, func() { refuse("the program waits for a signal, and none comes") })
	})
}

func Notify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
	expect()
}

func NotifyContext(parent context.Context, sig ...os.Signal) (context.Context, context.CancelFunc) {
	expect()
	return context.WithCancel(parent)
}

func Stop(c chan<- os.Signal)  {}
func Ignore(sig ...os.Signal)  {}
func Reset(sig ...os.Signal)   {}
func Ignored(s os.Signal) bool { return false }
