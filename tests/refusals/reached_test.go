package main

// test TestA

import (
	"fmt"
	"regexp" // want 2: package regexp is not supported; use Contains, Index, Cut of strings
	"sort"
	"strings"
	"testing"
)

func BenchmarkX(b *testing.B) { strings.ToValidUTF8("b", "") }

type point struct{ x int }

// A method of an interface, of a type that is reached.
func (p point) String() string {
	strings.ToValidUTF8("a", "") // want 10: strings.ToValidUTF8 is not supported; supported are … others, …
	return ""
}

type other = point

func (o *other) Error() string {
	strings.ToValidUTF8("a", "") // want 10: strings.ToValidUTF8 is not supported; supported are … others, …
	return ""
}

type list[T any] struct{ of T }

func (l list[T]) Less(i, j int) bool { return strings.ToValidUTF8("a", "") == nil } // want 55: strings.ToValidUTF8 is not supported; supported are … others, …
func (l list[T]) Swop()              { strings.ToValidUTF8("a", "") }
func (l list[T]) Len() int           { return 0 }
func (l list[T]) Swap(i, j int)      {}

func called() { regexp.MustCompile("a") }

func TestMain(m *testing.M) {} // want 26: testing.M is not supported; supported are Main, Short, T, TB, Verbose

func TestA(t *testing.T) {
	fmt.Println(point{1})
	func() { called() }()
	sort.Sort(list[int]{})
}

func TestMistake(t *testing.T) {
	var s string = 1 // want 17: cannot use 1 (untyped int constant) as string value in variable declaration
	_ = s
}
