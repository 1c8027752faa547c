// Readers and writers, and the small packages around them.
package main

import (
	"bufio"
	"bytes"
	"container/ring"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
)

type myError struct{ n int }

func (e *myError) Error() string { return fmt.Sprint("my error ", e.n) }

func main() {
	s := bufio.NewScanner(strings.NewReader("one two\nthree\n\nfour"))
	for s.Scan() {
		fmt.Printf("%q\n", s.Text())
	}
	s = bufio.NewScanner(strings.NewReader("one two  three\nfour"))
	s.Split(bufio.ScanWords)
	for s.Scan() {
		fmt.Print(s.Text(), ";")
	}
	fmt.Println(s.Err())
	all, err := io.ReadAll(io.LimitReader(strings.NewReader("hello, world"), 5))
	fmt.Println(string(all), err)
	w := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(w, "buffered %d\n", w.Buffered())
	w.Flush()
	r := bufio.NewReader(strings.NewReader("a line\nrest"))
	line, err := r.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	line, err = r.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	var b bytes.Buffer
	b.WriteString("buffer ")
	fmt.Fprint(&b, 1, " ", true)
	io.Copy(os.Stdout, io.TeeReader(&b, io.Discard))
	fmt.Println()
	pr, pw := io.Pipe()
	go func() {
		fmt.Fprint(pw, "through a pipe")
		pw.Close()
	}()
	all, _ = io.ReadAll(pr)
	fmt.Println(string(all))
	rg := ring.New(3)
	for i := range 3 {
		rg.Value = i
		rg = rg.Next()
	}
	rg.Do(func(v any) { fmt.Print(v, " ") })
	fmt.Println(rg.Len())
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(tw, "a\tbbb\tc")
	fmt.Fprintln(tw, "aaaa\tb\tccccc")
	tw.Flush()
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	select {
	case sig := <-c:
		fmt.Println(sig)
	default:
		fmt.Println("no signal", syscall.SIGINT, os.Interrupt)
	}
	signal.Stop(c)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	stop()
	fmt.Println(ctx.Err())
	os.Setenv("A_NAME", "v")
	v, ok := os.LookupEnv("A_NAME")
	fmt.Println(os.Getenv("A_NAME"), v, ok, os.Setenv("", ""))
	os.Unsetenv("A_NAME")
	_, ok = os.LookupEnv("A_NAME")
	fmt.Println(ok)
	if e, ok := errors.AsType[*myError](fmt.Errorf("w: %w", &myError{3})); ok {
		fmt.Println(e.n, e)
	}
	in := bufio.NewScanner(os.Stdin)
	fmt.Println(in.Scan(), in.Err())
	n, err := os.Stdin.Read(make([]byte, 4))
	fmt.Println(n, err)
	x := bufio.NewReadWriter(bufio.NewReader(strings.NewReader("x\ny")), bufio.NewWriter(os.Stdout))
	rn, _, _ := x.ReadRune()
	x.WriteRune(rn)
	x.WriteByte('\n')
	x.Flush()
	m := io.MultiWriter(os.Stdout, &b)
	fmt.Fprintln(m, "twice")
	fmt.Print(b.String())
}
