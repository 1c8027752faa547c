// Package fmt: the verbs are read here; one value is formatted by the interpreter, which knows its type.
package fmt

import "errors"

type Stringer interface{ String() string }

// one formats a value by a verb with its flags, such as "+v"; width and precision are -1 if they are not given.
func one(v any, verb rune, flags string, width, prec int) string
func write(fd int, s string)

func value(v any, verb rune, flags string, width, prec int) string {
	if verb == 'v' || verb == 's' || verb == 'q' {
		sharp := false
		for _, c := range flags {
			sharp = sharp || c == '#'
		}
		if !sharp {
			switch x := v.(type) {
			case error:
				return one(x.Error(), verb, flags, width, prec)
			case Stringer:
				return one(x.String(), verb, flags, width, prec)
			}
		}
	}
	return one(v, verb, flags, width, prec)
}

func Sprint(a ...any) string {
	s := ""
	text := true
	for i, v := range a {
		_, isText := v.(string)
		if i > 0 && !isText && !text {
			s += " "
		}
		text = isText
		s += value(v, 'v', "", -1, -1)
	}
	return s
}

func Sprintln(a ...any) string {
	s := ""
	for i, v := range a {
		if i > 0 {
			s += " "
		}
		s += value(v, 'v', "", -1, -1)
	}
	return s + "\n"
}

func number(s []rune, i int, a []any, next *int) (int, int) {
	if i < len(s) && s[i] == '*' {
		n := -1
		if *next < len(a) {
			if k, ok := a[*next].(int); ok {
				n = k
			}
			*next++
		}
		return n, i + 1
	}
	n := -1
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		if n < 0 {
			n = 0
		}
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, i
}

func Sprintf(format string, a ...any) string {
	s, out, next := []rune(format), "", 0
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out += string(s[i])
			continue
		}
		i++
		flags := ""
		for i < len(s) && (s[i] == '+' || s[i] == '-' || s[i] == '#' || s[i] == ' ' || s[i] == '0') {
			flags += string(s[i])
			i++
		}
		width, prec := -1, -1
		width, i = number(s, i, a, &next)
		if i < len(s) && s[i] == '.' {
			prec, i = number(s, i+1, a, &next)
			if prec < 0 {
				prec = 0
			}
		}
		if i >= len(s) {
			return out + "%!(NOVERB)"
		}
		verb := s[i]
		switch {
		case verb == '%':
			out += "%"
		case next >= len(a):
			out += "%!" + string(verb) + "(MISSING)"
		default:
			if verb == 'w' {
				verb = 'v'
			}
			out += value(a[next], verb, flags, width, prec)
			next++
		}
	}
	if next < len(a) {
		out += "%!(EXTRA "
		for k := next; k < len(a); k++ {
			if k > next {
				out += ", "
			}
			out += one(a[k], 'T', "", -1, -1) + "=" + value(a[k], 'v', "", -1, -1)
		}
		out += ")"
	}
	return out
}

func Print(a ...any) (int, error) {
	s := Sprint(a...)
	write(1, s)
	return len(s), nil
}

func Println(a ...any) (int, error) {
	s := Sprintln(a...)
	write(1, s)
	return len(s), nil
}

func Printf(format string, a ...any) (int, error) {
	s := Sprintf(format, a...)
	write(1, s)
	return len(s), nil
}

type wrapped struct {
	s   string
	err error
}

func (w *wrapped) Error() string { return w.s }
func (w *wrapped) Unwrap() error { return w.err }

func Errorf(format string, a ...any) error {
	s := Sprintf(format, a...)
	next := 0
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		if format[i] == '%' {
			continue
		}
		for i < len(format) && !(format[i] >= 'a' && format[i] <= 'z' || format[i] >= 'A' && format[i] <= 'Z') {
			i++
		}
		if i < len(format) && format[i] == 'w' && next < len(a) {
			if err, ok := a[next].(error); ok {
				return &wrapped{s, err}
			}
		}
		next++
	}
	return errors.New(s)
}
