package main

import (
	"gopkg.in/yaml.v3" // want 2: package gopkg.in/yaml.v3 is not supported; supported are bufio, bytes, cmp, …
	"math"
	"runtime"
)

func main() {
	yaml.Marshal(1)
	yaml.Unmarshal(nil, nil)
	math.J0(1) // want 7: math.J0 is not supported; supported are … others, in the folder gofront/stubs/math next to scenarios
	var m runtime.MemStats // want 16: runtime.MemStats is not supported; supported are Error, GC, …, LockOSThread, …
	_ = m
}
