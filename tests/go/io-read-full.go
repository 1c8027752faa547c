package main

import (
	"errors"
	"fmt"
	"io"
)

// A reader that gives a few bytes at a time.
type drops struct{ left []byte }

func (d *drops) Read(p []byte) (int, error) {
	if len(d.left) == 0 {
		return 0, io.EOF
	}
	n := 2
	if n > len(d.left) {
		n = len(d.left)
	}
	n = copy(p, d.left[:n])
	d.left = d.left[n:]
	return n, nil
}

// A reader that waits for another goroutine.
type queue struct{ c chan byte }

func (q queue) Read(p []byte) (int, error) {
	b, ok := <-q.c
	if !ok {
		return 0, io.EOF
	}
	p[0] = b
	return 1, nil
}

func try(r io.Reader, size, min int) {
	buf := make([]byte, size)
	n, err := io.ReadAtLeast(r, buf, min)
	fmt.Println(n, err, string(buf[:n]))
}

func main() {
	try(&drops{[]byte("abcdef")}, 4, 3)
	try(&drops{[]byte("abcdef")}, 4, 5)
	try(&drops{[]byte("abc")}, 8, 5)
	try(&drops{}, 4, 1)
	try(&drops{}, 4, 0)
	q := queue{make(chan byte)}
	go func() {
		for _, b := range []byte("hello") {
			q.c <- b
		}
		close(q.c)
	}()
	buf := make([]byte, 3)
	n, err := io.ReadFull(q, buf)
	fmt.Println(n, err, string(buf))
	n, err = io.ReadFull(q, buf)
	fmt.Println(n, err, errors.Is(err, io.ErrUnexpectedEOF), string(buf[:n]))
}
