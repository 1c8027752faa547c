// Package os: the arguments, the end, signals by name, an environment of the program's own, and the three standard files.
package os

import (
	"errors"
	"io"
)

func Exit(code int)

var Args = args()

func nargs() int
func arg(i int) string

func args() []string {
	all := make([]string, nargs())
	for i := range all {
		all[i] = arg(i)
	}
	return all
}

func write(fd int, s string)

// read returns -1 at the end of the input.
func read(p []byte) int

// File is the input or one of the outputs.
type File struct{ fd int }

func (f *File) Read(p []byte) (int, error) {
	if f.fd != 0 {
		return 0, errors.New("read: bad file descriptor")
	}
	if len(p) == 0 {
		return 0, nil
	}
	if n := read(p); n > 0 {
		return n, nil
	}
	return 0, io.EOF
}

func (f *File) Write(p []byte) (int, error) {
	write(f.fd, string(p))
	return len(p), nil
}

func (f *File) WriteString(s string) (int, error) {
	write(f.fd, s)
	return len(s), nil
}

var (
	Stdout = &File{1}
	Stderr = &File{2}
)
