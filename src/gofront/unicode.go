package main

import "unicode"

// unicodeTables is the rest of the package unicode (stubs/unicode): the tables of the Go that has built the front end.
func unicodeTables() string {
	text := "package unicode\n"
	for name, t := range map[string]*unicode.RangeTable{"letters": unicode.L, "upper": unicode.Lu, "lower": unicode.Ll, "title": unicode.Lt, "digits": unicode.Nd,
		"numbers": unicode.N, "puncts": unicode.P, "symbols": unicode.S, "marks": unicode.M, "separators": unicode.Zs} {
		var all []rune
		for _, r := range t.R16 {
			all = append(all, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			all = append(all, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		text += tableText(name, all)
	}
	for name, to := range map[string]func(rune) rune{"uppers": unicode.ToUpper, "lowers": unicode.ToLower, "titles": unicode.ToTitle, "folds": unicode.SimpleFold} {
		var all []rune
		for r := rune(0); r < 0x20000; r++ { // no letter beyond has two cases
			if c := to(r); c != r {
				all = append(all, r, c)
			}
		}
		text += tableText(name, all)
	}
	return text
}

// tableText writes each number in three bytes.
func tableText(name string, all []rune) string {
	var b []byte
	for _, r := range all {
		b = append(b, byte(r>>16), byte(r>>8), byte(r))
	}
	return "const " + name + " = " + quoted(string(b)) + "\n"
}
