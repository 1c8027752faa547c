// Package strings, as far as teaching programs use it.
//
//gofront:goroot strings/reader.go
package strings

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// ---- search ----

func Index(s, substr string) int {
	n := len(substr)
	for i := 0; i+n <= len(s); i++ {
		if s[i:i+n] == substr {
			return i
		}
	}
	return -1
}

func LastIndex(s, substr string) int {
	n := len(substr)
	for i := len(s) - n; i >= 0; i-- {
		if s[i:i+n] == substr {
			return i
		}
	}
	return -1
}

func IndexByte(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func LastIndexByte(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func IndexRune(s string, r rune) int { return IndexFunc(s, func(c rune) bool { return c == r }) }

func IndexAny(s, chars string) int {
	return IndexFunc(s, func(c rune) bool { return ContainsRune(chars, c) })
}

func IndexFunc(s string, f func(rune) bool) int {
	for i, c := range s {
		if f(c) {
			return i
		}
	}
	return -1
}

func LastIndexFunc(s string, f func(rune) bool) int {
	last := -1
	for i, c := range s {
		if f(c) {
			last = i
		}
	}
	return last
}

func LastIndexAny(s, chars string) int {
	return LastIndexFunc(s, func(c rune) bool { return ContainsRune(chars, c) })
}

func Contains(s, substr string) bool                { return Index(s, substr) >= 0 }
func ContainsRune(s string, r rune) bool            { return IndexRune(s, r) >= 0 }
func ContainsAny(s, chars string) bool              { return IndexAny(s, chars) >= 0 }
func ContainsFunc(s string, f func(rune) bool) bool { return IndexFunc(s, f) >= 0 }
func HasPrefix(s, prefix string) bool               { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

func Count(s, substr string) int {
	if substr == "" {
		return utf8.RuneCountInString(s) + 1
	}
	n := 0
	for {
		i := Index(s, substr)
		if i < 0 {
			return n
		}
		n++
		s = s[i+len(substr):]
	}
}

func Compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func EqualFold(s, t string) bool {
	a, b := []rune(s), []rune(t)
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		for r := unicode.SimpleFold(c); b[i] != c && b[i] != r; r = unicode.SimpleFold(r) {
			if r == c {
				return false
			}
		}
	}
	return true
}

// ---- parts ----

func Cut(s, sep string) (before, after string, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func CutPrefix(s, prefix string) (after string, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func CutSuffix(s, suffix string) (before string, found bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

// split cuts s at most n-1 times (n < 0: at each sep) and keeps so many bytes of each sep.
func split(s, sep string, keep, n int) []string {
	if n == 0 {
		return nil
	}
	if sep == "" {
		return explode(s, n)
	}
	out := []string{}
	for n < 0 || len(out) < n-1 {
		i := Index(s, sep)
		if i < 0 {
			break
		}
		out = append(out, s[:i+keep])
		s = s[i+len(sep):]
	}
	return append(out, s)
}

func explode(s string, n int) []string {
	out := []string{}
	for s != "" {
		if n > 0 && len(out) == n-1 {
			return append(out, s)
		}
		_, size := utf8.DecodeRuneInString(s)
		out = append(out, s[:size])
		s = s[size:]
	}
	return out
}

func Split(s, sep string) []string              { return split(s, sep, 0, -1) }
func SplitN(s, sep string, n int) []string      { return split(s, sep, 0, n) }
func SplitAfter(s, sep string) []string         { return split(s, sep, len(sep), -1) }
func SplitAfterN(s, sep string, n int) []string { return split(s, sep, len(sep), n) }
func Fields(s string) []string                  { return FieldsFunc(s, unicode.IsSpace) }

func FieldsFunc(s string, f func(rune) bool) []string {
	out := []string{}
	start := -1
	for i, c := range s {
		switch {
		case f(c) && start >= 0:
			out = append(out, s[start:i])
			start = -1
		case !f(c) && start < 0:
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

func SplitSeq(s, sep string) iter.Seq[string] { return each(Split(s, sep)) }
func FieldsSeq(s string) iter.Seq[string]     { return each(Fields(s)) }
func Lines(s string) iter.Seq[string] {
	lines := SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return each(lines)
}

func each(parts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range parts {
			if !yield(p) {
				return
			}
		}
	}
}

func Join(elems []string, sep string) string {
	out := ""
	for i, e := range elems {
		if i > 0 {
			out += sep
		}
		out += e
	}
	return out
}

func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	out := ""
	for ; count > 0; count-- {
		out += s
	}
	return out
}

func Replace(s, old, new string, n int) string {
	if old == new || n == 0 {
		return s
	}
	out := ""
	if old == "" {
		for i, part := range explode(s, -1) {
			if n >= 0 && i >= n {
				out += part
				continue
			}
			out += new + part
		}
		if n < 0 || utf8.RuneCountInString(s) < n {
			out += new
		}
		return out
	}
	for ; n != 0; n-- {
		i := Index(s, old)
		if i < 0 {
			break
		}
		out += s[:i] + new
		s = s[i+len(old):]
	}
	return out + s
}

func ReplaceAll(s, old, new string) string { return Replace(s, old, new, -1) }

// ---- letters ----

func Map(mapping func(rune) rune, s string) string {
	out := ""
	for _, c := range s {
		if r := mapping(c); r >= 0 {
			out += string(r)
		}
	}
	return out
}

func ToUpper(s string) string { return Map(unicode.ToUpper, s) }
func ToLower(s string) string { return Map(unicode.ToLower, s) }
func ToTitle(s string) string { return Map(unicode.ToTitle, s) }

func Title(s string) string {
	before := ' '
	return Map(func(r rune) rune {
		start := !unicode.IsLetter(before) && !unicode.IsDigit(before) && before != '_' && (before <= unicode.MaxASCII || unicode.IsSpace(before))
		before = r
		if start {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

func TrimLeftFunc(s string, f func(rune) bool) string {
	for i, c := range s {
		if !f(c) {
			return s[i:]
		}
	}
	return ""
}

func TrimRightFunc(s string, f func(rune) bool) string {
	end := 0
	for i, c := range s {
		if !f(c) {
			_, size := utf8.DecodeRuneInString(s[i:])
			end = i + size
		}
	}
	return s[:end]
}

func TrimFunc(s string, f func(rune) bool) string { return TrimRightFunc(TrimLeftFunc(s, f), f) }
func TrimSpace(s string) string                   { return TrimFunc(s, unicode.IsSpace) }
func Trim(s, cutset string) string {
	return TrimFunc(s, func(c rune) bool { return ContainsRune(cutset, c) })
}
func TrimLeft(s, cutset string) string {
	return TrimLeftFunc(s, func(c rune) bool { return ContainsRune(cutset, c) })
}
func TrimRight(s, cutset string) string {
	return TrimRightFunc(s, func(c rune) bool { return ContainsRune(cutset, c) })
}

func TrimPrefix(s, prefix string) string {
	after, _ := CutPrefix(s, prefix)
	return after
}

func TrimSuffix(s, suffix string) string {
	before, _ := CutSuffix(s, suffix)
	return before
}

func Clone(s string) string { return s }

// ---- Builder, Replacer ----

type Builder struct{ s string }

func (b *Builder) String() string { return b.s }
func (b *Builder) Len() int       { return len(b.s) }
func (b *Builder) Reset()         { b.s = "" }
func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
}

func (b *Builder) Write(p []byte) (int, error) {
	b.s += string(p)
	return len(p), nil
}

func (b *Builder) WriteByte(c byte) error {
	b.s += string([]byte{c})
	return nil
}

func (b *Builder) WriteRune(r rune) (int, error) {
	s := string(r)
	b.s += s
	return len(s), nil
}

func (b *Builder) WriteString(s string) (int, error) {
	b.s += s
	return len(s), nil
}

// Replacer replaces at each place by the first pair that fits.
type Replacer struct{ pairs []string }

func NewReplacer(oldnew ...string) *Replacer {
	if len(oldnew)%2 == 1 {
		panic("strings.NewReplacer: odd argument count")
	}
	return &Replacer{oldnew}
}

func (r *Replacer) Replace(s string) string {
	out := ""
	for i := 0; i <= len(s); {
		k := 0
		for k < len(r.pairs) && !HasPrefix(s[i:], r.pairs[k]) {
			k += 2
		}
		if k < len(r.pairs) {
			out += r.pairs[k+1]
		}
		if k < len(r.pairs) && r.pairs[k] != "" {
			i += len(r.pairs[k])
			continue
		}
		if i < len(s) {
			out += s[i : i+1]
		}
		i++
	}
	return out
}
