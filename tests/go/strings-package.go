// Package strings.
package main

import (
	"fmt"
	"strings"
)

func main() {
	s := "the quick brown fox"
	fmt.Println(strings.Contains(s, "quick"), strings.ContainsRune(s, 'x'), strings.ContainsAny(s, "zq"), strings.HasPrefix(s, "the"), strings.HasSuffix(s, "fox"))
	fmt.Println(strings.Index(s, "o"), strings.LastIndex(s, "o"), strings.IndexByte(s, 'q'), strings.IndexRune(s, 'z'), strings.Count(s, "o"), strings.Count("abc", ""))
	fmt.Printf("%q %q %q %q\n", strings.Split("a,b,,c", ","), strings.Split("abc", ""), strings.SplitN("a,b,c", ",", 2), strings.Fields("  a  b\tc\n"))
	fmt.Println(strings.Join([]string{"x", "y", "z"}, "--"), strings.Repeat("ab", 3), strings.Replace("aaaa", "a", "b", 2), strings.ReplaceAll("aaaa", "aa", "b"))
	fmt.Println(strings.ToUpper("Go é"), strings.ToLower("GO É"), strings.Title("go"), strings.EqualFold("Go", "GO"))
	fmt.Printf("[%s] [%s] [%s] [%s] [%s] [%s]\n", strings.TrimSpace("  x \n"), strings.Trim("xxaxx", "x"), strings.TrimLeft("xxa", "x"), strings.TrimRight("axx", "x"),
		strings.TrimPrefix("prefix-a", "prefix-"), strings.TrimSuffix("a.go", ".go"))
	before, after, found := strings.Cut("key=value=x", "=")
	fmt.Println(before, after, found)
	fmt.Println(strings.Map(func(r rune) rune {
		if r == 'a' {
			return 'A'
		}
		if r == 'x' {
			return -1
		}
		return r
	}, "banana x"))
	var b strings.Builder
	for i := 3; i > 0; i-- {
		fmt.Fprintf(&b, "%d...", i)
	}
	b.WriteString("lift")
	b.WriteByte('-')
	b.WriteRune('ö')
	fmt.Println(b.String(), b.Len())
	fmt.Println(strings.Compare("a", "b"), strings.TrimFunc("123abc456", func(r rune) bool { return r < 'a' }), strings.IndexFunc("abc1", func(r rune) bool { return r < 'a' }))
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	fmt.Println(r.Replace("<b>"))
	fmt.Printf("%q %q\n", strings.SplitAfter("a,b", ","), strings.FieldsFunc("a1b2c", func(r rune) bool { return r >= '0' && r <= '9' }))
	for part := range strings.SplitSeq("x y z", " ") {
		fmt.Print(part, ";")
	}
	fmt.Println()
}
