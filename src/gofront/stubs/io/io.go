// Package io: what is written goes to os.Stdout, os.Stderr or a builder; nothing is read.
package io

import "errors"

var EOF = errors.New("EOF")

type Writer interface {
	Write(p []byte) (n int, err error)
}
type StringWriter interface {
	WriteString(s string) (n int, err error)
}
type Reader interface {
	Read(p []byte) (n int, err error)
}
type Closer interface{ Close() error }

func WriteString(w Writer, s string) (int, error) {
	if sw, ok := w.(StringWriter); ok {
		return sw.WriteString(s)
	}
	return w.Write([]byte(s))
}

type discard struct{}

func (discard) Write(p []byte) (int, error)       { return len(p), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }

var Discard Writer = discard{}
