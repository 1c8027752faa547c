// Package bytes: Go's own Buffer and Reader, and what is strings' for bytes.
//
//gofront:goroot bytes/buffer.go bytes/reader.go
package bytes

import "strings"

func Equal(a, b []byte) bool            { return string(a) == string(b) }
func Compare(a, b []byte) int           { return strings.Compare(string(a), string(b)) }
func Contains(b, sub []byte) bool       { return strings.Contains(string(b), string(sub)) }
func Index(b, sub []byte) int           { return strings.Index(string(b), string(sub)) }
func HasPrefix(b, prefix []byte) bool   { return strings.HasPrefix(string(b), string(prefix)) }
func HasSuffix(b, suffix []byte) bool   { return strings.HasSuffix(string(b), string(suffix)) }
func ToUpper(b []byte) []byte           { return []byte(strings.ToUpper(string(b))) }
func ToLower(b []byte) []byte           { return []byte(strings.ToLower(string(b))) }
func Repeat(b []byte, count int) []byte { return []byte(strings.Repeat(string(b), count)) }
func IndexByte(b []byte, c byte) int    { return strings.IndexByte(string(b), c) }

func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}
