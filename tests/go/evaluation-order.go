// Calls are evaluated from left to right; operands of an assignment before the assignment.
package main

import "fmt"

func t(s string, v int) int         { fmt.Print(s, " "); return v }
func b(s string, v bool) bool       { fmt.Print(s, " "); return v }
func list(s string, v ...int) []int { fmt.Print(s, " "); return v }
func ptr(s string, v *int) *int     { fmt.Print(s, " "); return v }

func main() {
	fmt.Println(t("a", 1)+t("b", 2)*t("c", 3), t("d", 4))
	fmt.Println(b("x", false) && b("y", true), b("z", true) || b("w", true), b("p", true) && b("q", false) || b("r", true))
	x := 0
	list("l", 1, 2)[t("i", 1)] = t("v", 5)
	*ptr("p", &x) = t("v", 6)
	m := map[int]int{t("k1", 1): t("v1", 1), t("k2", 2): t("v2", 2)}
	m[t("k", 3)] = t("v", 3)
	fmt.Println(len(m), x)
	arr := []int{t("e0", 0), t("e1", 1), t("e2", 2)}
	i := 0
	i, arr[i] = 2, 7
	fmt.Println(i, arr)
	arr[0], arr[1], arr[2] = arr[2], arr[0], arr[1]
	fmt.Println(arr)
	s := struct{ a, b int }{b: t("b", 1), a: t("a", 2)}
	fmt.Println(s)
	func(a, b int) { fmt.Println(a, b) }(t("first", 1), t("second", 2))
	go func(a int) {}(t("go argument", 1))
	defer func(a int) { fmt.Println("deferred", a) }(t("defer argument", x))
	x = 100
	arr[t("index", 1)] += t("added", 10)
	m[t("key", 1)]++
	fmt.Println(arr, m)
	c := make(chan int, 1)
	c <- t("sent", 3)
	fmt.Println(<-c + t("after", 1))
	_, _ = t("blank", 1), t("blank too", 2)
	fmt.Println()
	y := 1
	f := func() int { y++; return y }
	fmt.Println(f(), f(), y)
	var p *struct{ n int }
	defer func() { fmt.Println(recover() != nil) }()
	p.n = t("evaluated before the panic", 1)
}
