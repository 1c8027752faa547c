// Package log writes to os.Stderr. The time of a line is that of the run's own clock, which begins in 2009 as the playground's does.
package log

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	Ldate = 1 << iota
	Ltime
	Lmicroseconds
	_ // Llongfile: nobody knows the folder
	Lshortfile
	LUTC
	Lmsgprefix
	LstdFlags = Ldate | Ltime
)

type Logger struct {
	mu     sync.Mutex
	out    io.Writer    // under mu
	prefix atomic.Value // a string
	flags  atomic.Int32
}

func New(out io.Writer, prefix string, flag int) *Logger {
	l := &Logger{out: out}
	l.SetPrefix(prefix)
	l.SetFlags(flag)
	return l
}

var std = New(os.Stderr, "", LstdFlags)

func Default() *Logger { return std }

func (l *Logger) SetFlags(flag int)       { l.flags.Store(int32(flag)) }
func (l *Logger) SetPrefix(prefix string) { l.prefix.Store(prefix) }
func (l *Logger) Flags() int              { return int(l.flags.Load()) }

func (l *Logger) Prefix() string { // of a Logger that New did not make: none
	prefix, _ := l.prefix.Load().(string)
	return prefix
}

func (l *Logger) SetOutput(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = w
}

func (l *Logger) Writer() io.Writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out
}

func (l *Logger) output(s string) {
	if s == "" || s[len(s)-1] != '\n' {
		s += "\n"
	}
	flags, prefix := l.Flags(), l.Prefix()
	if h := head(flags); flags&Lmsgprefix != 0 {
		s = h + prefix + s
	} else {
		s = prefix + h + s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.out, s)
}

func head(flags int) string {
	t, s := time.Now(), ""
	if flags&Ldate != 0 {
		s += t.Format("2006/01/02 ")
	}
	if flags&Lmicroseconds != 0 {
		s += t.Format("15:04:05.000000 ")
	} else if flags&Ltime != 0 {
		s += t.Format("15:04:05 ")
	}
	if flags&Lshortfile != 0 {
		file, line := place()
		s += fmt.Sprintf("%s:%d: ", file[strings.LastIndex(file, "/")+1:], line)
	}
	return s
}

// place is where the program itself is.
func place() (file string, line int)

func (l *Logger) Print(v ...any)                 { l.output(fmt.Sprint(v...)) }
func (l *Logger) Printf(format string, v ...any) { l.output(fmt.Sprintf(format, v...)) }
func (l *Logger) Println(v ...any)               { l.output(fmt.Sprintln(v...)) }

func (l *Logger) Fatal(v ...any) {
	l.output(fmt.Sprint(v...))
	os.Exit(1)
}

func (l *Logger) Fatalf(format string, v ...any) {
	l.output(fmt.Sprintf(format, v...))
	os.Exit(1)
}

func (l *Logger) Fatalln(v ...any) {
	l.output(fmt.Sprintln(v...))
	os.Exit(1)
}

func (l *Logger) Panic(v ...any) {
	s := fmt.Sprint(v...)
	l.output(s)
	panic(s)
}

func (l *Logger) Panicf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	l.output(s)
	panic(s)
}

func (l *Logger) Panicln(v ...any) {
	s := fmt.Sprintln(v...)
	l.output(s)
	panic(s)
}

func SetFlags(flag int)              { std.SetFlags(flag) }
func SetPrefix(prefix string)        { std.SetPrefix(prefix) }
func SetOutput(w io.Writer)          { std.SetOutput(w) }
func Flags() int                     { return std.Flags() }
func Prefix() string                 { return std.Prefix() }
func Print(v ...any)                 { std.Print(v...) }
func Printf(format string, v ...any) { std.Printf(format, v...) }
func Println(v ...any)               { std.Println(v...) }
func Fatal(v ...any)                 { std.Fatal(v...) }
func Fatalf(format string, v ...any) { std.Fatalf(format, v...) }
func Fatalln(v ...any)               { std.Fatalln(v...) }
func Panic(v ...any)                 { std.Panic(v...) }
func Panicf(format string, v ...any) { std.Panicf(format, v...) }
func Panicln(v ...any)               { std.Panicln(v...) }
