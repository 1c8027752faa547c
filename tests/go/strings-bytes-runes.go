// Strings are bytes; runes are code points.
package main

import "fmt"

func main() {
	s := "héllo, 世界"
	fmt.Println(len(s), len([]rune(s)), s[1], s[:1], s[7:])
	for i, r := range s {
		fmt.Printf("%d:%c(%d) ", i, r, r)
	}
	fmt.Println()
	b := []byte(s)
	b[0] = 'H'
	fmt.Println(string(b), s, b[1], len(b))
	r := []rune(s)
	r[1] = 'e'
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	fmt.Println(string(r), string(r[0]), r[0])
	fmt.Println("a" < "b", "Z" < "a", "abc" < "abd", "ab" < "abc", "" < "a", "x" == "x")
	bad := "a\xffb\xc3"
	for i, r := range bad {
		fmt.Print(i, " ", r, "; ")
	}
	fmt.Printf("%q %x %v\n", bad, bad, []byte(bad))
	fmt.Println([]rune(bad), len(string([]rune(bad))), string(rune(0x10ffff+1)) == "\ufffd", string(rune(-1)))
	t := ""
	for c := 'a'; c <= 'e'; c++ {
		t += string(c)
	}
	t += t
	fmt.Println(t, t[2:4]+t[:2])
	lines := `one
two	tab
\n stays`
	fmt.Println(lines, len(lines))
	counts := map[rune]int{}
	for _, r := range "hello world" {
		counts[r]++
	}
	fmt.Println(counts['l'], counts['o'], counts['x'], len(counts))
	switch {
	case s > "i":
		fmt.Println("greater")
	case s[0] == 'h':
		fmt.Println("starts with h")
	}
	fmt.Println(append([]byte("x"), s[1:3]...), copy(b, "HEY"), string(b[:4]))
}
