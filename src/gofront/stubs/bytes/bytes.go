// Package bytes: Buffer, and what is strings' for bytes.
package bytes

import (
	"io"
	"strings"
)

type Buffer struct{ s string }

func NewBufferString(s string) *Buffer { return &Buffer{s} }
func NewBuffer(b []byte) *Buffer       { return &Buffer{string(b)} }
func (b *Buffer) Len() int             { return len(b.s) }
func (b *Buffer) Bytes() []byte        { return []byte(b.s) }
func (b *Buffer) Reset()               { b.s = "" }
func (b *Buffer) Truncate(n int)       { b.s = b.s[:n] }

func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return b.s
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.s += string(p)
	return len(p), nil
}

func (b *Buffer) WriteString(s string) (int, error) {
	b.s += s
	return len(s), nil
}

func (b *Buffer) WriteByte(c byte) error {
	b.s += string([]byte{c})
	return nil
}

func (b *Buffer) WriteRune(r rune) (int, error) { return b.WriteString(string(r)) }

func (b *Buffer) Read(p []byte) (int, error) {
	if b.s == "" && len(p) > 0 {
		return 0, io.EOF
	}
	n := copy(p, b.s)
	b.s = b.s[n:]
	return n, nil
}

func Equal(a, b []byte) bool            { return string(a) == string(b) }
func Compare(a, b []byte) int           { return strings.Compare(string(a), string(b)) }
func Contains(b, sub []byte) bool       { return strings.Contains(string(b), string(sub)) }
func Index(b, sub []byte) int           { return strings.Index(string(b), string(sub)) }
func HasPrefix(b, prefix []byte) bool   { return strings.HasPrefix(string(b), string(prefix)) }
func HasSuffix(b, suffix []byte) bool   { return strings.HasSuffix(string(b), string(suffix)) }
func ToUpper(b []byte) []byte           { return []byte(strings.ToUpper(string(b))) }
func ToLower(b []byte) []byte           { return []byte(strings.ToLower(string(b))) }
func Repeat(b []byte, count int) []byte { return []byte(strings.Repeat(string(b), count)) }
