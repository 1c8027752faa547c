package main

// test TestA

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Functions that the test does not reach are no matter.
type fake struct{ b *testing.B }

func (f *fake) each() { f.b.ReportAllocs() }

func BenchmarkX(b *testing.B) {
	f := fake{b}
	f.each()
	for i := 0; i < b.N; i++ {
		add(1, 2)
	}
}

func TestOther(t *testing.T) {
	http.Get("x")
	strings.ToValidUTF8("a", "")
	var c complex128 = 1i
	_ = c
}

type point struct{ x int }

func (p point) String() string { return fmt.Sprint(p.x) }
func (p point) Reader() any    { return strings.ToValidUTF8(p.String(), "") }

func add(a, b int) int { return a + b }

func TestA(t *testing.T) { t.Log(add(1, 2), point{3}) }
