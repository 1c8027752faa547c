package main

import (
	"example.com/own/module" // want 2: package example.com/own/module is not supported; supported are bufio, bytes, cmp, container/heap, …, unicode/utf8
	"foo/bar" // want 2: package foo/bar is not supported; put its files into the package main
	"internal/value" // want 2: package internal/value is not supported; put its files into the package main
	"net/http" // want 2: package net/http is not supported; there is no network: let a goroutine answer over a channel, and time.Sleep be the time that it takes
	"reflect" // want 2: package reflect is not supported; use a type switch, or %T and %v of fmt
	"unsafe" // want 2: package unsafe is not supported; write it without pointers to memory
)

func main() {
	_ = unsafe.Sizeof(1)
	reflect.TypeOf(1)
	http.Get("x")
	value.Kind(1)
	module.Do()
	bar.Do()
}
