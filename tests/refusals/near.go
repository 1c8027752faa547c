package main

import (
	"gopkg.in/yaml.v3" // want 2: package gopkg.in/yaml.v3 is not supported; supported are bytes, cmp, container/heap, container/list, context, errors, fmt, golang.org/x/sync/errgroup, golang.org/x/sync/semaphore, io, iter, log, maps, math/bits, math, math/rand, math/rand/v2, os, runtime, slices, sort, strconv, strings, sync/atomic, sync, testing, time, unicode, unicode/utf8
	"math"
	"runtime"
	"slices"
)

func main() {
	yaml.Marshal(1)
	yaml.Unmarshal(nil, nil)
	math.Exp(1) // want 7: math.Exp is not supported; supported are 57 others, in the folder gofront/stubs/math next to scenarios
	var m runtime.MemStats // want 16: runtime.MemStats is not supported; supported are Error, GC, GOARCH, GOMAXPROCS, GOOS, Goexit, Gosched, KeepAlive, LockOSThread, NumCPU, NumGoroutine, PanicNilError, UnlockOSThread
	_ = m
	slices.Chunk([]int{1}, 1) // want 9: slices.Chunk is not supported; supported are 35 others, in the folder gofront/stubs/slices next to scenarios
}
