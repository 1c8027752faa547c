package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.NewTimer(50 * time.Millisecond)
	fmt.Println(len(t.C), cap(t.C), t.Stop(), t.Stop(), t.Reset(time.Millisecond), t.Reset(2*time.Millisecond))
	<-t.C
	fmt.Println(t.Stop(), t.Reset(time.Millisecond))
	time.Sleep(5 * time.Millisecond)
	fmt.Println(t.Stop())
	select {
	case <-t.C:
		fmt.Println("a value of before")
	default:
		fmt.Println("nothing")
	}

	done := make(chan string)
	f := time.AfterFunc(2*time.Millisecond, func() { done <- "called" })
	fmt.Println(<-done, f.C == nil, f.Stop(), f.Reset(time.Millisecond), <-done)
	g := time.AfterFunc(time.Millisecond, func() { fmt.Println("never") })
	fmt.Println(g.Stop(), g.Stop())
	fmt.Println(g.Reset(time.Hour), g.Reset(time.Hour), g.Stop())

	k := time.NewTicker(3 * time.Millisecond)
	for i := range 3 {
		<-k.C
		fmt.Println("tick", i)
	}
	k.Reset(time.Millisecond)
	<-k.C
	k.Stop()
	k.Stop()
	select {
	case <-k.C:
		fmt.Println("ticked")
	case <-time.After(10 * time.Millisecond):
		fmt.Println("stopped")
	}
	fmt.Println(time.Tick(0) == nil)
	panics := func(name string, f func()) {
		defer func() { fmt.Println(name, recover()) }()
		f()
	}
	panics("ticker", func() { time.NewTicker(0) })
	panics("reset", func() { k.Reset(-1) })
	panics("timer", func() { new(time.Timer).Stop() })
	panics("timer", func() { new(time.Timer).Reset(1) })
	panics("ticker", func() { new(time.Ticker).Reset(1) })
	var ts []*time.Timer
	n := make(chan int, 300)
	for i := range 300 {
		ts = append(ts, time.AfterFunc(time.Duration(i%7+1)*time.Millisecond, func() { n <- 1 }))
	}
	stopped := 0
	for i, t := range ts {
		if i%3 == 0 && t.Stop() {
			stopped++
		} else if i%3 == 1 {
			t.Reset(time.Duration(10+i%5) * time.Millisecond)
		}
	}
	for range 300 - stopped {
		<-n
	}
	fmt.Println("all")
	var l []*time.Timer
	for i := range 300 {
		l = append(l, time.NewTimer(time.Duration(i%7+1)*time.Millisecond))
	}
	for i, t := range l {
		if i%2 == 0 {
			t.Reset(time.Duration(300-i) * time.Microsecond)
		}
		if i%5 == 0 {
			t.Stop()
		}
	}
	for i, t := range l {
		if i%5 != 0 {
			<-t.C
		}
	}
	fmt.Println("end")
}
