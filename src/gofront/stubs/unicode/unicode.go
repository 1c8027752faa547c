// Package unicode. The tables are those of the person's own Go: the front end (unicode.go) writes them as constants.
package unicode

const (
	MaxRune         = '\U0010FFFF'
	ReplacementChar = '\uFFFD'
	MaxASCII        = '\u007F'
	MaxLatin1       = '\u00FF'
)

// at is number i of a table: three bytes each.
func at(table string, i int) rune {
	return rune(table[3*i])<<16 | rune(table[3*i+1])<<8 | rune(table[3*i+2])
}

// search finds the first entry, of n numbers each, whose number k is at least r; where there is none, it is behind the table.
func search(table string, n, k int, r rune) int {
	low, high := 0, len(table)/3/n
	for low < high {
		if mid := (low + high) / 2; at(table, n*mid+k) < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return n * low
}

// in says that r is in a table of ranges: the first, the last, and the step.
func in(table string, r rune) bool {
	i := search(table, 3, 1, r)
	return 3*i < len(table) && r >= at(table, i) && (r-at(table, i))%at(table, i+2) == 0
}

// to is what a table of pairs makes of r.
func to(table string, r rune) rune {
	if i := search(table, 2, 0, r); 3*i < len(table) && at(table, i) == r {
		return at(table, i+1)
	}
	return r
}

func IsUpper(r rune) bool { return r >= 'A' && r <= 'Z' || r > MaxASCII && in(upper, r) }
func IsLower(r rune) bool { return r >= 'a' && r <= 'z' || r > MaxASCII && in(lower, r) }
func IsLetter(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > MaxASCII && in(letters, r)
}
func IsTitle(r rune) bool  { return in(title, r) }
func IsDigit(r rune) bool  { return r >= '0' && r <= '9' || r > MaxASCII && in(digits, r) }
func IsNumber(r rune) bool { return r >= '0' && r <= '9' || r > MaxASCII && in(numbers, r) }
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}
func IsPunct(r rune) bool   { return in(puncts, r) }
func IsSymbol(r rune) bool  { return in(symbols, r) }
func IsMark(r rune) bool    { return in(marks, r) }
func IsControl(r rune) bool { return r >= 0 && r < 0x20 || r >= 0x7f && r < 0xa0 }
func IsPrint(r rune) bool   { return r == ' ' || IsGraphic(r) && !in(separators, r) }
func IsGraphic(r rune) bool {
	return IsLetter(r) || IsMark(r) || IsNumber(r) || IsPunct(r) || IsSymbol(r) || in(separators, r)
}

func ToUpper(r rune) rune {
	if r <= MaxASCII {
		if r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	return to(uppers, r)
}

func ToLower(r rune) rune {
	if r <= MaxASCII {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return to(lowers, r)
}

func ToTitle(r rune) rune    { return to(titles, r) }
func SimpleFold(r rune) rune { return to(folds, r) }
