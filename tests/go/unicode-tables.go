// Letters of every alphabet: what they are, and their other cases.
package main

import (
	"fmt"
	"strings"
	"unicode"
)

func main() {
	sum := uint32(2166136261)
	add := func(v rune) { sum = (sum ^ uint32(v)) * 16777619 }
	bit := func(is bool) rune {
		if is {
			return 1
		}
		return 0
	}
	for r := rune(-1); r < 0x1f000; r += 7 - r%5 {
		add(unicode.ToUpper(r))
		add(unicode.ToLower(r))
		add(unicode.ToTitle(r))
		add(unicode.SimpleFold(r))
		for _, is := range []func(rune) bool{unicode.IsLetter, unicode.IsUpper, unicode.IsLower, unicode.IsTitle, unicode.IsDigit, unicode.IsNumber, unicode.IsSpace,
			unicode.IsPunct, unicode.IsSymbol, unicode.IsMark, unicode.IsControl, unicode.IsPrint, unicode.IsGraphic} {
			add(bit(is(r)))
		}
		if r%4096 < 7 {
			fmt.Printf("%x %08x\n", r, sum)
		}
	}
	fmt.Println(strings.ToUpper("straße äöü ñ ÿ ωψ привет ǆ ﬁ ı"), strings.ToLower("ΩΨ ПРИВЕТ ÀÉ İI Ǆ ẞ"), strings.ToTitle("ǆ"))
	fmt.Println(strings.Title("don't stop, übel_x ǆo 3d «a»"), strings.Fields(" a\u00a0b\u2003c\u3000d "))
	fmt.Println(strings.EqualFold("Straße", "STRASSE"), strings.EqualFold("σΣς", "ςσΣ"), strings.EqualFold("K", "\u212a"), strings.EqualFold("Go", "gO"), strings.EqualFold("a", "b"))
}
