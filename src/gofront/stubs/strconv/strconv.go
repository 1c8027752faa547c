package strconv

import (
	"errors"
	"internal/value"
)

const IntSize = 64

var (
	ErrRange  = errors.New("value out of range")
	ErrSyntax = errors.New("invalid syntax")
)

type NumError struct {
	Func string
	Num  string
	Err  error
}

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}
func (e *NumError) Unwrap() error { return e.Err }

// ---- numbers from text ----

func Atoi(s string) (int, error) {
	n, err := parseInt("Atoi", s, 10, 0)
	return int(n), err
}

func ParseInt(s string, base, bitSize int) (int64, error) {
	return parseInt("ParseInt", s, base, bitSize)
}

func parseInt(fn, s string, base, bitSize int) (int64, error) {
	if s == "" {
		return 0, &NumError{fn, s, ErrSyntax}
	}
	digits := s
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		digits = s[1:]
	}
	un, err := parseUint(fn, digits, base, bitSize)
	if err != nil && err.(*NumError).Err != ErrRange {
		err.(*NumError).Num = s
		return 0, err
	}
	if bitSize == 0 {
		bitSize = IntSize
	}
	most := uint64(1) << uint(bitSize-1)
	switch {
	case !negative && un >= most:
		return int64(most - 1), &NumError{fn, s, ErrRange}
	case negative && un > most:
		return -int64(most), &NumError{fn, s, ErrRange}
	case negative:
		return -int64(un), nil
	}
	return int64(un), nil
}

func ParseUint(s string, base, bitSize int) (uint64, error) {
	return parseUint("ParseUint", s, base, bitSize)
}

func parseUint(fn, s string, base, bitSize int) (uint64, error) {
	if s == "" {
		return 0, &NumError{fn, s, ErrSyntax}
	}
	digits := s
	prefixed := base == 0
	if prefixed {
		base, digits = baseOf(s)
	}
	if base < 2 || base > 36 {
		return 0, &NumError{fn, s, errors.New("invalid base " + Itoa(base))}
	}
	if bitSize == 0 {
		bitSize = IntSize
	}
	if bitSize < 0 || bitSize > 64 {
		return 0, &NumError{fn, s, errors.New("invalid bit size " + Itoa(bitSize))}
	}
	most := ^uint64(0) >> uint(64-bitSize)
	n := uint64(0)
	for i := 0; i < len(digits); i++ {
		if prefixed && digits[i] == '_' {
			continue
		}
		d := digit(digits[i])
		if d >= base {
			return 0, &NumError{fn, s, ErrSyntax}
		}
		next := n*uint64(base) + uint64(d)
		if n > (^uint64(0)-uint64(d))/uint64(base) || next > most {
			return most, &NumError{fn, s, ErrRange}
		}
		n = next
	}
	if digits == "" || prefixed && !separate(s) {
		return 0, &NumError{fn, s, ErrSyntax}
	}
	return n, nil
}

// separate says that each _ of a number without a sign stands between two digits, or between the base's letter and a digit.
func separate(s string) bool {
	first, most := 0, 10
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			first, most = 2, 16
		case 'b', 'B', 'o', 'O':
			first = 2
		}
	}
	isDigit := func(i int) bool { return i >= first && i < len(s) && digit(s[i]) < most }
	for i := 0; i < len(s); i++ {
		if s[i] == '_' && (i == 0 || i != first && !isDigit(i-1) || !isDigit(i+1)) {
			return false
		}
	}
	return true
}

func baseOf(s string) (int, string) {
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			return 16, s[2:]
		case 'b', 'B':
			return 2, s[2:]
		case 'o', 'O':
			return 8, s[2:]
		}
	}
	if len(s) > 1 && s[0] == '0' {
		return 8, s[1:]
	}
	return 10, s
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

// parseFloat reads a number as C does. ok: all of s is one; over: it is too large.
func parseFloat(s string, bitSize int) (f float64, ok, over bool)

// plainFloat leaves the _ out of a number with a point or exponent. Of what C reads it refuses a nan with a sign and hex digits without an exponent.
func plainFloat(s string) (plain string, ok bool) {
	in := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		in = s[1:]
	}
	if in == "" || in != s && digit(in[0]) == digit('n') {
		return s, false
	}
	hex := len(in) > 1 && in[0] == '0' && digit(in[1]) == digit('x')
	exponent, plain := false, s[:len(s)-len(in)]
	for i := 0; i < len(in); i++ {
		exponent = exponent || digit(in[i]) == digit('p')
		if in[i] != '_' {
			plain += in[i : i+1]
		}
	}
	return plain, exponent == hex && separate(in)
}

func ParseFloat(s string, bitSize int) (float64, error) {
	plain, fits := plainFloat(s)
	f, ok, over := parseFloat(plain, bitSize)
	switch {
	case !ok || !fits:
		return 0, &NumError{"ParseFloat", s, ErrSyntax}
	case over:
		return f, &NumError{"ParseFloat", s, ErrRange}
	}
	return f, nil
}

func ParseBool(s string) (bool, error) {
	switch s {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, &NumError{"ParseBool", s, ErrSyntax}
}

// ---- text from numbers ----

func Itoa(i int) string { return FormatInt(int64(i), 10) }

func FormatInt(i int64, base int) string {
	if i < 0 {
		return "-" + FormatUint(-uint64(i), base)
	}
	return FormatUint(uint64(i), base)
}

func FormatUint(i uint64, base int) string {
	if base < 2 || base > 36 {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
	if base == 10 {
		s, _ := value.Leaf(i, 'd', "", -1, -1)
		return s
	}
	out := ""
	for {
		out = "0123456789abcdefghijklmnopqrstuvwxyz"[i%uint64(base):][:1] + out
		if i /= uint64(base); i == 0 {
			return out
		}
	}
}

// shortest asks for as few digits as tell the number from all others.
const shortest = -2

func FormatFloat(f float64, format byte, prec, bitSize int) string {
	if prec < 0 {
		prec = shortest
	}
	var s string
	var ok bool
	if bitSize == 32 {
		s, ok = value.Leaf(float32(f), rune(format), "", -1, prec)
	} else {
		s, ok = value.Leaf(f, rune(format), "", -1, prec)
	}
	if !ok {
		return "%" + string(rune(format))
	}
	return s
}

func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func AppendInt(dst []byte, i int64, base int) []byte { return append(dst, FormatInt(i, base)...) }
func AppendQuote(dst []byte, s string) []byte        { return append(dst, Quote(s)...) }
func AppendBool(dst []byte, b bool) []byte           { return append(dst, FormatBool(b)...) }

// ---- quotes ----

func Quote(s string) string {
	q, _ := value.Leaf(s, 'q', "", -1, -1)
	return q
}

func QuoteToASCII(s string) string {
	q, _ := value.Leaf(s, 'q', "+", -1, -1)
	return q
}

func QuoteRune(r rune) string {
	q, _ := value.Leaf(r, 'q', "", -1, -1)
	return q
}

// Unquote reads a string as Go's source writes it.
func Unquote(s string) (string, error) {
	n := len(s)
	if n < 2 || s[0] != s[n-1] {
		return "", ErrSyntax
	}
	quote, in := s[0], s[1:n-1]
	if quote == '`' {
		return in, nil
	}
	out, runes := "", 0
	for in != "" {
		if in[0] == quote || in[0] == '\n' {
			return "", ErrSyntax
		}
		text, rest, ok := unescaped(in, quote)
		if !ok {
			return "", ErrSyntax
		}
		out, in = out+text, rest
		runes++
	}
	if quote != '"' && quote != '\'' || quote == '\'' && runes != 1 {
		return "", ErrSyntax
	}
	return out, nil
}

// unescaped reads one character, or an escape.
func unescaped(s string, quote byte) (text, rest string, ok bool) {
	if s[0] != '\\' {
		end := len(s)
		for i := range s {
			if i > 0 {
				end = i
				break
			}
		}
		return s[:end], s[end:], true
	}
	if len(s) < 2 {
		return "", "", false
	}
	digits, base := 0, 16
	switch c := s[1]; c {
	case 'a', 'b', 'f', 'n', 'r', 't', 'v':
		const names, codes = "abfnrtv", "\a\b\f\n\r\t\v"
		for i := 0; i < len(names); i++ {
			if names[i] == c {
				return codes[i : i+1], s[2:], true
			}
		}
	case '\\', quote:
		return s[1:2], s[2:], true
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '0', '1', '2', '3', '4', '5', '6', '7':
		digits, base, s = 3, 8, "\\o"+s[1:]
	}
	if digits == 0 || len(s) < 2+digits {
		return "", "", false
	}
	v, err := ParseUint(s[2:2+digits], base, 32)
	if err != nil || digits < 4 && v > 255 || digits >= 4 && v > 0x10ffff {
		return "", "", false
	}
	if digits < 4 {
		return string([]byte{byte(v)}), s[2+digits:], true
	}
	return string(rune(v)), s[2+digits:], true
}
