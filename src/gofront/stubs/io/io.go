// Package io: what is written goes to os.Stdout, os.Stderr or a builder; what is read comes from the program's own Readers.
package io

import "errors"

var (
	EOF              = errors.New("EOF")
	ErrShortBuffer   = errors.New("short buffer")
	ErrUnexpectedEOF = errors.New("unexpected EOF")
)

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

func ReadAtLeast(r Reader, buf []byte, min int) (n int, err error) {
	if len(buf) < min {
		return 0, ErrShortBuffer
	}
	for n < min && err == nil {
		var more int
		more, err = r.Read(buf[n:])
		n += more
	}
	if n >= min {
		err = nil
	} else if n > 0 && err == EOF {
		err = ErrUnexpectedEOF
	}
	return n, err
}

func ReadFull(r Reader, buf []byte) (n int, err error) { return ReadAtLeast(r, buf, len(buf)) }

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
