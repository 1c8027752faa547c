// The rows of the benchmark on real Go: the same work under the same names as in rows.c, one row a process.
//
//	bench_go ROW PROCS off|trace [SCALE]
//
// `trace`: runtime/trace writes to io.Discard meanwhile. GOMAXPROCS is given explicitly, all else is Go's default.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/trace"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

var (
	procs int
	scale int64 = 1
	x     int64
	wg    sync.WaitGroup
	out   []string
)

func report(name string, value float64) { out = append(out, fmt.Sprintf("%s %.6g", name, value)) }

func count(n int64) int64 {
	if n/scale > 0 {
		return n / scale
	}
	return 1
}

// ---- the two ends of a measurement

var beganWall time.Time
var beganCPU int64

func cpuNow() int64 {
	var t syscall.Timespec
	const processCPU = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processCPU, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

func begin() {
	beganCPU = cpuNow()
	beganWall = time.Now()
}

func end(prefix string, ops int64) {
	wall := float64(time.Since(beganWall))
	cpu := float64(cpuNow() - beganCPU)
	report(prefix+"wall", wall/float64(ops))
	report(prefix+"cpu", cpu/float64(ops))
	report(prefix+"load", cpu/wall)
}

func twice(pass func(n int64), n int64) {
	pass(n)
	begin()
	pass(n)
	end("", n)
}

func lateness(late []int64) {
	sort.Slice(late, func(i, j int) bool { return late[i] < late[j] })
	n := len(late)
	report("p50", float64(late[n/2])/1000)
	report("p99", float64(late[n*99/100])/1000)
	report("max", float64(late[n-1])/1000)
}

// RSS and page tables, bytes
func memory() int64 {
	text, _ := os.ReadFile("/proc/self/status")
	var kb int64
	for _, key := range []string{"VmRSS:", "VmPTE:"} {
		if at := strings.Index(string(text), key); at >= 0 {
			n, _ := strconv.ParseInt(strings.Fields(string(text)[at+len(key):])[0], 10, 64)
			kb += n
		}
	}
	return kb * 1024
}

// ---- spawn, spawn1, tree

func onlyDone() { wg.Done() }

func spawn() {
	twice(func(n int64) {
		for ; n > 0; n -= x {
			b := x
			if n < b {
				b = n
			}
			wg.Add(int(b))
			for i := int64(0); i < b; i++ {
				go onlyDone()
			}
			wg.Wait()
		}
	}, count(1000000))
}

var joins []sync.WaitGroup

func node(i int64) {
	if i < int64(len(joins)) {
		joins[i].Add(2)
		go node(2*i + 1)
		go node(2*i + 2)
		joins[i].Wait()
	}
	if i > 0 {
		joins[(i-1)/2].Done()
	} else {
		wg.Done()
	}
}

func tree() {
	depth := x
	if scale >= 10 {
		depth -= 3
	}
	joins = make([]sync.WaitGroup, 1<<(depth-1)-1)
	twice(func(int64) {
		wg.Add(1)
		go node(0)
		wg.Wait()
	}, 2*int64(len(joins))+1)
}

// ---- channels

func pingpong() {
	there, back := make(chan int64), make(chan int64)
	twice(func(n int64) {
		wg.Add(1)
		go func() {
			for i := int64(0); i < n; i++ {
				back <- <-there
			}
			wg.Done()
		}()
		for i := int64(0); i < n; i++ {
			there <- i
			<-back
		}
		wg.Wait()
	}, count(700000))
}

func prodcons() {
	twice(func(n int64) {
		c := make(chan int64, x)
		go func() {
			for i := int64(0); i < n; i++ {
				c <- i
			}
			close(c)
		}()
		for range c {
		}
	}, count(3000000))
}

func selectRow() {
	a, b := make(chan int64), make(chan int64)
	twice(func(n int64) {
		send := func(c chan int64) {
			for i := int64(0); i < n/2; i++ {
				c <- i
			}
		}
		go send(a)
		go send(b)
		for i := int64(0); i < n/2*2; i++ {
			select {
			case <-a:
			case <-b:
			}
		}
	}, count(500000))
}

// ---- yield, mutex

func fanOut(n int64, fn func(i int64)) {
	wg.Add(int(n))
	for i := int64(0); i < n; i++ {
		go fn(i)
	}
	wg.Wait()
}

func yield() {
	twice(func(n int64) {
		gs := int64(2 * procs)
		each := n / gs
		fanOut(gs, func(int64) {
			for i := int64(0); i < each; i++ {
				runtime.Gosched()
			}
			wg.Done()
		})
	}, count(1000000))
}

func mutex() {
	var mu sync.Mutex
	twice(func(n int64) {
		gs, sum := int64(4*procs), int64(0)
		each := n / gs
		fanOut(gs, func(int64) {
			for i := int64(0); i < each; i++ {
				mu.Lock()
				sum++
				mu.Unlock()
			}
			wg.Done()
		})
		if sum != each*gs {
			panic("the mutex does not exclude")
		}
	}, count(5000000))
}

// ---- steal, burst

//go:noinline
func xorshift(v uint64, n int64) uint64 {
	for ; n > 0; n-- {
		v ^= v << 13
		v ^= v >> 7
		v ^= v << 17
	}
	return v
}

var sink uint64

func task(i int64) {
	if xorshift(uint64(i)+1, x) == 0 {
		atomic.StoreUint64(&sink, 1)
	}
	wg.Done()
}

func serial(best float64) float64 {
	for i := 0; i < 9; i++ {
		n := 2000000 / x
		t := time.Now()
		for k := int64(0); k < n; k++ {
			if xorshift(uint64(k)+1, x) == 0 {
				atomic.StoreUint64(&sink, 1)
			}
		}
		if each := float64(time.Since(t)) / float64(n); each < best {
			best = each
		}
	}
	return best
}

func tasks(n, batch int64) {
	n = count(n/batch) * batch
	pass := func() {
		for k := int64(0); k < n; k += batch {
			wg.Add(int(batch))
			for i := int64(0); i < batch; i++ {
				go task(i)
			}
			wg.Wait()
		}
	}
	pass()
	alone := serial(1e18)
	begin()
	t := time.Now()
	pass()
	wall := float64(time.Since(t)) / float64(n)
	end("", n)
	alone = serial(alone)
	report("serial", alone)
	report("efficiency", alone/(wall*float64(procs)))
}

func steal() {
	if x < 7000 {
		tasks(100000, 2000)
	} else {
		tasks(20000, 2000)
	}
}

func burst() {
	switch {
	case x < 7000:
		tasks(40000, 4)
	case x < 35000:
		tasks(8000, 4)
	default:
		tasks(2000, 4)
	}
}

// ---- park

func parkOnce(prefix string, n int64) {
	gate := make(chan int64)
	wg.Add(int(n))
	before := memory()
	begin()
	for i := int64(0); i < n; i++ {
		go func() {
			<-gate
			wg.Done()
		}()
	}
	for i := 0; i < 3; i++ {
		runtime.Gosched()
	}
	end(prefix+"create_", n)
	report(prefix+"bytes", float64(memory()-before)/float64(n))
	begin()
	close(gate)
	wg.Wait()
	end(prefix+"wake_", n)
}

func park() {
	parkOnce("cold_", count(x))
	parkOnce("warm_", count(x))
}

// ---- timers, periodic

func timers() {
	n := count(100000)
	late := make([]int64, n)
	sleep := make([]time.Duration, n)
	v := uint32(12345)
	for i := range sleep {
		v = v*1664525 + 1013904223
		sleep[i] = 400*time.Millisecond + time.Duration(v%300000)*time.Microsecond
	}
	twice(func(n int64) {
		fanOut(n, func(i int64) {
			t := time.Now()
			time.Sleep(sleep[i])
			late[i] = int64(time.Since(t) - sleep[i])
			wg.Done()
		})
	}, n)
	lateness(late)
}

func periodic() {
	const rounds = 100
	n := count(1000) * rounds
	late := make([]int64, n)
	twice(func(n int64) {
		fanOut(n/rounds, func(i int64) {
			for k := int64(0); k < rounds; k++ {
				t := time.Now()
				time.Sleep(time.Millisecond)
				late[i*rounds+k] = int64(time.Since(t) - time.Millisecond)
			}
			wg.Done()
		})
	}, n)
	lateness(late)
}

// ---- echo: socket pairs through Go's own poller

func pair() (a, b *os.File) {
	fd, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		panic(err)
	}
	return os.NewFile(uintptr(fd[0]), "a"), os.NewFile(uintptr(fd[1]), "b")
}

func move(f *os.File, buf []byte, write bool) {
	var err error
	if write {
		_, err = f.Write(buf)
	} else {
		_, err = io.ReadFull(f, buf)
	}
	if err != nil {
		panic(err)
	}
}

func echo() {
	var r syscall.Rlimit
	syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r)
	r.Cur = r.Max
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &r)
	a, b := make([]*os.File, x), make([]*os.File, x)
	for i := range a {
		a[i], b[i] = pair()
	}
	n := count(90000) / x
	if n == 0 {
		n = 1
	}
	twice(func(n int64) {
		each := n / x
		end := func(f *os.File, first bool) {
			buf := make([]byte, 64)
			for i := int64(0); i < each; i++ {
				move(f, buf, first)
				move(f, buf, !first)
			}
			wg.Done()
		}
		wg.Add(int(2 * x))
		for i := range a {
			go end(b[i], false)
			go end(a[i], true)
		}
		wg.Wait()
	}, n*x)
}

// ---- syscall, preempt, idle

func syscallRow() {
	twice(func(n int64) {
		for i := int64(0); i < n; i++ {
			syscall.Syscall(syscall.SYS_GETPPID, 0, 0, 0)
		}
	}, count(300000))
}

func preempt() {
	n := count(200)
	late := make([]int64, n)
	for i := 1; i < procs; i++ {
		go func() {
			for v := uint64(1); ; v = v*6364136223846793005 + 1 {
				if v == 0 {
					break
				}
			}
		}()
	}
	var m runtime.MemStats
	time.Sleep(5 * time.Millisecond)
	for i := range late {
		time.Sleep(time.Millisecond)
		t := time.Now()
		runtime.ReadMemStats(&m)
		late[i] = int64(time.Since(t))
	}
	lateness(late)
}

func idle() {
	const d = time.Second
	var a, b syscall.Rusage
	time.Sleep(100 * time.Millisecond)
	syscall.Getrusage(syscall.RUSAGE_SELF, &a)
	begin()
	time.Sleep(d)
	end("", int64(d/time.Millisecond))
	syscall.Getrusage(syscall.RUSAGE_SELF, &b)
	report("wakeups", float64(b.Nvcsw-a.Nvcsw)/d.Seconds())
}

var rows = map[string]struct {
	run func()
	x   int64
}{
	"spawn": {spawn, 1000}, "spawn1": {spawn, 1}, "tree": {tree, 20}, "pingpong": {pingpong, 0}, "prodcons": {prodcons, 128},
	"select": {selectRow, 0}, "yield": {yield, 0}, "steal700": {steal, 700}, "steal7000": {steal, 7000}, "burst700": {burst, 700},
	"burst7000": {burst, 7000}, "burst35000": {burst, 35000}, "mutex": {mutex, 0}, "park1e5": {park, 100000},
	"park1e6": {park, 1000000}, "timers": {timers, 0}, "periodic": {periodic, 0}, "echo1000": {echo, 1000},
	"echo9000": {echo, 9000}, "syscall": {syscallRow, 0}, "preempt": {preempt, 0}, "idle": {idle, 0},
}

func main() {
	if len(os.Args) < 4 {
		fmt.Println(runtime.Version()) // what the table says it was measured against
		os.Exit(2)
	}
	row, ok := rows[os.Args[1]]
	if !ok {
		os.Exit(2)
	}
	procs, _ = strconv.Atoi(os.Args[2])
	if len(os.Args) > 4 {
		scale, _ = strconv.ParseInt(os.Args[4], 10, 64)
	}
	runtime.GOMAXPROCS(procs)
	x = row.x
	if os.Args[3] == "trace" {
		if err := trace.Start(io.Discard); err != nil {
			panic(err)
		}
	}
	row.run()
	fmt.Println(strings.Join(out, "\n"))
	os.Exit(0)
}
