package main

import (
	"fmt"
	"runtime"
	"testing"
)

func add(a, b int) int { return a + b }

func TestA(t *testing.T) {
	t.Log("start")
	for _, n := range []string{"one two", "b"} {
		t.Run(n, func(t *testing.T) {
			t.Logf("sub %s\nsecond line", n)
			if n == "b" {
				t.Errorf("bad: got %d", add(1, 2))
			}
			t.Run("deep", func(t *testing.T) {
				if n == "b" {
					t.Fatal("deep end")
				}
			})
		})
	}
	helper(t)
	fmt.Println("printed")
	t.Run("skipped", func(t *testing.T) { t.Skip("why") })
	t.Run("pass", func(t *testing.T) { t.Log("why") })
	t.Run("deadskip", func(t *testing.T) { t.Error("x"); t.Skip("after") })
	t.Error("end")
}

func helper(t testing.TB) {
	t.Error("in helper")
}

func TestP(t *testing.T) {
	for i := 0; i < 3; i++ {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			t.Log("p")
			if i == 1 {
				t.Fail()
			}
		})
	}
}

func TestOk(t *testing.T) { t.Log("no"); t.Run("x", func(t *testing.T) {}) }

func TestPanic(t *testing.T) {
	t.Run("sub", func(t *testing.T) { t.Log("before"); panic("boom") })
}

func TestExit(t *testing.T) {
	t.Run("skip", func(t *testing.T) { t.Skip("s") })
	go func() {}()
	defer func() { t.Log("deferred") }()
	t.Cleanup(func() { t.Log("cleanup") })
	t.FailNow()
}

func TestSame(t *testing.T) {
	t.Run("a", func(t *testing.T) {})
	t.Run("a", func(t *testing.T) { t.Fail() })
	t.Run("", func(t *testing.T) { t.Fail() })
	func() {
		for range 2 {
			t.Log("in\n")
		}
	}()
}

func TestGoexit(t *testing.T) {
	t.Run("sub", func(t *testing.T) { runtime.Goexit() })
}

func TestFailedByPart(t *testing.T) {
	t.Run("sub", func(s *testing.T) {
		s.Log("part")
		t.FailNow()
	})
	t.Log("never")
}
