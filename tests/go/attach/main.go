// A program that knows its queues, for tests/test_attach.c. It locks itself into a state that cannot change, says so, and stays there.
//
//	idle      four Ps: G1 computes, nobody else can run.
//	queue N   two Ps: G1 has made N goroutines, main.worker, and computes; main.spin computes on the other P. Nobody may run a worker.
//	waits N   N goroutines, main.waiter, wait to receive from a channel, and G1 sleeps.
//	threads N N threads are in a system call, each locked to its goroutine, main.inCall.
//	serve     a HTTP server on a port of its own, which it prints; GET / answers "ok".
//	load A    sends requests to a server at A until SIGTERM; then it prints how many were answered and how many were not.
//	busy      goroutines come, go, sleep, lock and send all the time; it prints a line when a tick of theirs has come 1000 times.
//
// Run it with GODEBUG=asyncpreemptoff=1 for idle and queue. With schedtrace=200,scheddetail=1 Go prints what it knows about itself.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var spins, forever int32

//go:noinline
func worker() { fmt.Println("a worker ran") }

func spin() {
	atomic.StoreInt32(&spins, 1)
	for atomic.LoadInt32(&forever) == 0 {
	}
}

func queue(n int) {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(2)
	fmt.Println("ready")
	time.Sleep(50 * time.Millisecond)
	go spin()
	for atomic.LoadInt32(&spins) == 0 {
	}
	for i := 0; i < n; i++ {
		go worker()
	}
	for atomic.LoadInt32(&forever) == 0 {
	}
}

func idle() {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(4)
	fmt.Println("ready")
	for atomic.LoadInt32(&forever) == 0 {
	}
}

func waiter(c chan int) { <-c }

func waits(n int) {
	c := make(chan int)
	for i := 0; i < n; i++ {
		go waiter(c)
	}
	time.Sleep(50 * time.Millisecond)
	fmt.Println("ready")
	time.Sleep(time.Hour)
}

func inCall(ready *sync.WaitGroup) {
	var p [2]int
	var b [1]byte
	runtime.LockOSThread()
	syscall.Pipe(p[:])
	ready.Done()
	syscall.Read(p[0], b[:])
}

func threads(n int) {
	var ready sync.WaitGroup
	ready.Add(n)
	for i := 0; i < n; i++ {
		go inCall(&ready)
	}
	ready.Wait()
	time.Sleep(50 * time.Millisecond)
	fmt.Println("ready")
	time.Sleep(time.Hour)
}

func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })))
}

// One client keeps its connection, the other one makes a new one each time.
func load(addr string) {
	var good, bad int64
	var done sync.WaitGroup
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	for i := 0; i < 2; i++ {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i == 1}, Timeout: 30 * time.Second}
		done.Add(1)
		go func() {
			defer done.Done()
			for atomic.LoadInt32(&forever) == 0 {
				r, err := client.Get("http://" + addr)
				if err == nil {
					var b []byte
					b, err = io.ReadAll(r.Body)
					r.Body.Close()
					if string(b) != "ok" {
						err = io.ErrUnexpectedEOF
					}
				}
				if err == nil {
					atomic.AddInt64(&good, 1)
				} else {
					fmt.Println(err)
					atomic.AddInt64(&bad, 1)
				}
				time.Sleep(2 * time.Millisecond)
			}
		}()
	}
	fmt.Println("ready")
	<-stop
	atomic.StoreInt32(&forever, 1)
	done.Wait()
	fmt.Println("answered", good, "lost", bad)
}

func busy() {
	var mu sync.Mutex
	var n int64
	for i := 0; i < 8; i++ {
		go func() {
			for {
				c := make(chan int)
				go func() { c <- 1 }()
				<-c
				mu.Lock()
				n++
				if n%1000 == 0 {
					fmt.Println(n)
				}
				mu.Unlock()
			}
		}()
	}
	for {
		time.Sleep(100 * time.Microsecond)
	}
}

func main() {
	n := 0
	if len(os.Args) > 2 {
		n, _ = strconv.Atoi(os.Args[2])
	}
	switch os.Args[1] {
	case "idle":
		idle()
	case "load":
		load(os.Args[2])
	case "queue":
		queue(n)
	case "waits":
		waits(n)
	case "threads":
		threads(n)
	case "serve":
		serve()
	case "busy":
		busy()
	}
}
