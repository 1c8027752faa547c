// Package fmt: verbs, flags, lists, maps, structs and the methods of values are read here, as Go's fmt reads them; a value without parts is formatted
// by the interpreter.
package fmt

import (
	"errors"
	"internal/value"
	"io"
	"os"
)

type Stringer interface{ String() string }
type GoStringer interface{ GoString() string }

// printer makes one text. The flags are those of the verb at hand.
type printer struct {
	out         string
	flags       string // those of + - # 0 and space that were given
	plus, sharp bool   // of the verb v: names of fields, Go syntax
	width, prec int    // -1: not given
	erroring    bool   // a bad verb is reported: methods are not called
	wrapping    bool   // Errorf: %w is a verb
	wrapped     []int  // the numbers of its arguments
}

func (p *printer) clear() { p.flags, p.plus, p.sharp, p.width, p.prec = "", false, false, -1, -1 }

func (p *printer) pad(s string) {
	padded, _ := value.Leaf(s, 's', p.flags, p.width, -1)
	p.out += padded
}

// ---- one value ----

func (p *printer) arg(v any, verb rune) {
	if v == nil {
		if verb == 'T' || verb == 'v' {
			p.pad("<nil>")
		} else {
			p.badVerb(v, verb)
		}
		return
	}
	switch verb {
	case 'T':
		p.text(value.TypeName(v), 's')
		return
	case 'p':
		p.pointer(v, verb)
		return
	}
	p.value(v, verb, 0, false)
}

// value prints v. hidden: it is part of a field that is not exported, so that its methods are not called.
func (p *printer) value(v any, verb rune, depth int, hidden bool) {
	if !hidden && p.methods(v, verb) {
		return
	}
	switch value.Kind(v) {
	case value.Nil: // of an element or a field, whatever the verb
		p.out += "<nil>"
	case value.Slice, value.Array:
		p.list(v, verb, depth, hidden)
	case value.Map:
		p.mapping(v, verb, depth, hidden)
	case value.Struct:
		p.structure(v, verb, depth, hidden)
	case value.Pointer:
		k := value.ElemKind(v)
		if depth == 0 && value.Bits(v) != 0 && (k == value.Slice || k == value.Array || k == value.Struct || k == value.Map) {
			p.out += "&"
			p.value(value.Part(v, 0), verb, depth+1, hidden)
			return
		}
		p.pointer(v, verb)
	case value.Chan, value.Func:
		p.pointer(v, verb)
	default:
		p.leaf(v, verb)
	}
}

func (p *printer) leaf(v any, verb rune) {
	flags := p.flags
	if p.sharp && verb == 'v' {
		flags += "v"
	}
	s, fits := value.Leaf(v, verb, flags, p.width, p.prec)
	if !fits {
		p.badVerb(v, verb)
		return
	}
	p.out += s
}

func (p *printer) pointer(v any, verb rune) {
	k := value.Kind(v)
	if k != value.Pointer && k != value.Chan && k != value.Func && k != value.Map && k != value.Slice {
		p.badVerb(v, verb)
		return
	}
	if verb == 'v' && p.sharp {
		s := "nil"
		if value.Bits(v) != 0 {
			s, _ = value.Leaf(v, 'p', "", -1, -1)
		}
		p.out += "(" + value.TypeName(v) + ")(" + s + ")"
		return
	}
	s, fits := value.Leaf(v, verb, p.flags, p.width, p.prec)
	if !fits {
		p.badVerb(v, verb)
		return
	}
	p.out += s
}

func (p *printer) badVerb(v any, verb rune) {
	p.erroring = true
	p.out += "%!" + string(verb) + "("
	if v == nil {
		p.out += "<nil>"
	} else {
		p.out += value.TypeName(v) + "="
		p.arg(v, 'v')
	}
	p.out += ")"
	p.erroring = false
}

// methods prints v by its own method if it has one for this verb.
func (p *printer) methods(v any, verb rune) (done bool) {
	if p.erroring {
		return false
	}
	if p.sharp && verb == 'v' {
		g, ok := v.(GoStringer)
		if ok {
			defer p.catch(v, verb, "GoString")
			p.text(g.GoString(), 's')
		}
		return ok
	}
	if verb != 'v' && verb != 's' && verb != 'x' && verb != 'X' && verb != 'q' {
		return false
	}
	switch x := v.(type) {
	case error:
		done = true
		defer p.catch(v, verb, "Error")
		p.text(x.Error(), verb)
	case Stringer:
		done = true
		defer p.catch(v, verb, "String")
		p.text(x.String(), verb)
	}
	return done
}

func (p *printer) text(s string, verb rune) {
	text, _ := value.Leaf(s, verb, p.flags, p.width, p.prec)
	p.out += text
}

// catch is called when a method panicked: of a nil pointer that is no mistake.
func (p *printer) catch(v any, verb rune, method string) {
	err := recover()
	if err == nil {
		return
	}
	if value.Kind(v) == value.Pointer && value.Bits(v) == 0 {
		p.out += "<nil>"
		return
	}
	flags, plus, sharp, width, prec := p.flags, p.plus, p.sharp, p.width, p.prec
	p.clear()
	p.out += "%!" + string(verb) + "(PANIC=" + method + " method: "
	p.arg(err, 'v')
	p.out += ")"
	p.flags, p.plus, p.sharp, p.width, p.prec = flags, plus, sharp, width, prec
}

// ---- values with parts ----

func (p *printer) part(v any, i int, verb rune, depth int, hidden bool) {
	x := value.Part(v, i)
	if x == nil && p.sharp {
		p.out += value.PartType(v, i) + "(nil)"
		return
	}
	p.value(x, verb, depth, hidden)
}

func (p *printer) list(v any, verb rune, depth int, hidden bool) {
	n := value.Len(v)
	if value.ElemKind(v) == value.Uint8 && (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X') {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(value.Bits(value.Part(v, i)))
		}
		p.text(string(b), verb)
		return
	}
	opening, between, closing := "[", " ", "]"
	if p.sharp && verb == 'v' {
		if name := value.TypeName(v); name == "[]uint8" && depth == 0 {
			p.out += "[]byte"
		} else {
			p.out += name
		}
		if value.Kind(v) == value.Slice && value.Bits(v) == 0 {
			p.out += "(nil)"
			return
		}
		opening, between, closing = "{", ", ", "}"
	}
	p.out += opening
	for i := 0; i < n; i++ {
		if i > 0 {
			p.out += between
		}
		p.part(v, i, verb, depth+1, hidden)
	}
	p.out += closing
}

func (p *printer) structure(v any, verb rune, depth int, hidden bool) {
	between := " "
	if p.sharp {
		p.out += value.TypeName(v)
		between = ", "
	}
	p.out += "{"
	for i := 0; i < value.Len(v); i++ {
		if i > 0 {
			p.out += between
		}
		name, exported := value.Field(v, i)
		if p.plus || p.sharp {
			p.out += name + ":"
		}
		p.part(v, i, verb, depth+1, hidden || !exported)
	}
	p.out += "}"
}

func (p *printer) mapping(v any, verb rune, depth int, hidden bool) {
	opening, between, closing := "map[", " ", "]"
	if p.sharp {
		p.out += value.TypeName(v)
		if value.Bits(v) == 0 {
			p.out += "(nil)"
			return
		}
		opening, between, closing = "{", ", ", "}"
	}
	p.out += opening
	for i, e := range sorted(value.Entries(v)) {
		if i > 0 {
			p.out += between
		}
		p.value(e.key, verb, depth+1, hidden)
		p.out += ":"
		if e.value == nil && p.sharp {
			p.out += value.PartType(v, 0) + "(nil)"
			continue
		}
		p.value(e.value, verb, depth+1, hidden)
	}
	p.out += closing
}

type entry struct{ key, value any }

// sorted puts the entries in the order of their keys.
func sorted(flat []any) []entry {
	var out []entry
	for i := 0; i+1 < len(flat); i += 2 {
		e := entry{flat[i], flat[i+1]}
		out = append(out, e)
		k := len(out) - 1
		for ; k > 0 && value.Less(e.key, out[k-1].key); k-- {
			out[k] = out[k-1]
		}
		out[k] = e
	}
	return out
}

// ---- formats ----

// format reads a format and prints its arguments.
type reader struct {
	*printer
	s         string
	i, next   int // in s; the argument
	args      []any
	reordered bool // an index was used: arguments that are left over are no mistake
	goodIndex bool
}

func (r *reader) more() bool { return r.i < len(r.s) }

func (r *reader) run() {
	for r.more() {
		start := r.i
		for r.more() && r.s[r.i] != '%' {
			r.i++
		}
		r.out += r.s[start:r.i]
		if r.more() {
			r.i++
			r.verb()
		}
	}
	if !r.reordered && r.next < len(r.args) {
		r.extra()
	}
}

func (r *reader) verb() {
	r.clear()
	r.readFlags()
	r.goodIndex = true
	afterIndex := r.index()
	if r.more() && r.s[r.i] == '*' {
		r.i++
		r.width = r.star("%!(BADWIDTH)")
		if r.width < -1 {
			r.width = -r.width
			r.flags += "-"
		}
		afterIndex = false
	} else {
		r.width = r.number()
		if afterIndex && r.width >= 0 {
			r.goodIndex = false
		}
	}
	if r.more() && r.s[r.i] == '.' {
		r.i++
		if afterIndex {
			r.goodIndex = false
		}
		afterIndex = r.index()
		if r.more() && r.s[r.i] == '*' {
			r.i++
			r.prec = r.star("%!(BADPREC)")
			afterIndex = false
		} else if r.prec = r.number(); r.prec < 0 {
			r.prec = 0
		}
	}
	if !afterIndex {
		r.index()
	}
	if !r.more() {
		r.out += "%!(NOVERB)"
		return
	}
	r.print(r.rune())
}

func (r *reader) rune() rune {
	for _, c := range r.s[r.i:] {
		r.i += len(string(c))
		return c
	}
	return 0
}

func (r *reader) print(verb rune) {
	switch {
	case verb == '%':
		r.out += "%"
		return
	case !r.goodIndex:
		r.out += "%!" + string(verb) + "(BADINDEX)"
		return
	case r.next >= len(r.args):
		r.out += "%!" + string(verb) + "(MISSING)"
		return
	}
	v := r.args[r.next]
	r.next++
	if verb == 'w' {
		if _, ok := v.(error); !ok || !r.wrapping {
			r.badVerb(v, verb)
			return
		}
		r.wrapped = append(r.wrapped, r.next-1)
		verb = 'v'
	}
	if verb == 'v' {
		flags := ""
		for _, c := range r.flags {
			switch c {
			case '#':
				r.sharp = true
			case '+':
				r.plus = true
			default:
				flags += string(c)
			}
		}
		r.flags = flags
	}
	r.arg(v, verb)
}

func (r *reader) readFlags() {
	for r.more() {
		switch r.s[r.i] {
		case '+', '-', '#', ' ', '0':
			r.flags += r.s[r.i : r.i+1]
		default:
			return
		}
		r.i++
	}
}

// number reads a number; -1: there is none.
func (r *reader) number() int {
	n := -1
	for r.more() && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
		if n < 0 {
			n = 0
		}
		n = n*10 + int(r.s[r.i]-'0')
		r.i++
	}
	return n
}

func (r *reader) star(bad string) int {
	if r.next < len(r.args) {
		n, ok := r.args[r.next].(int)
		r.next++
		if ok && n > -1000000 && n < 1000000 {
			return n
		}
	}
	r.out += bad
	return -1
}

// index reads an argument's number in brackets.
func (r *reader) index() bool {
	if !r.more() || r.s[r.i] != '[' {
		return false
	}
	r.reordered = true
	r.i++
	n := r.number()
	if !r.more() || r.s[r.i] != ']' || n < 1 || n > len(r.args) {
		r.goodIndex = false
		for r.more() && r.s[r.i] != ']' {
			r.i++
		}
		if r.more() {
			r.i++
		}
		return true
	}
	r.i++
	r.next = n - 1
	return true
}

func (r *reader) extra() {
	r.clear()
	r.out += "%!(EXTRA "
	for k := r.next; k < len(r.args); k++ {
		if k > r.next {
			r.out += ", "
		}
		if r.args[k] == nil {
			r.out += "<nil>"
			continue
		}
		r.out += value.TypeName(r.args[k]) + "="
		r.arg(r.args[k], 'v')
	}
	r.out += ")"
}

// ---- what programs call ----

func Sprintf(format string, a ...any) string {
	r := reader{printer: &printer{}, s: format, args: a}
	r.run()
	return r.out
}

func Sprint(a ...any) string {
	p := &printer{width: -1, prec: -1}
	text := true
	for i, v := range a {
		isText := value.Kind(v) == value.String
		if i > 0 && !isText && !text {
			p.out += " "
		}
		text = isText
		p.plain(v)
	}
	return p.out
}

func Sprintln(a ...any) string {
	p := &printer{width: -1, prec: -1}
	for i, v := range a {
		if i > 0 {
			p.out += " "
		}
		p.plain(v)
	}
	return p.out + "\n"
}

// plain is arg(v, 'v'), with a short way for what programs print most.
func (p *printer) plain(v any) {
	if s, ok := v.(string); ok {
		p.out += s
		return
	}
	p.arg(v, 'v')
}

func Print(a ...any) (int, error)                 { return Fprint(os.Stdout, a...) }
func Println(a ...any) (int, error)               { return Fprintln(os.Stdout, a...) }
func Printf(format string, a ...any) (int, error) { return Fprintf(os.Stdout, format, a...) }
func Fprint(w io.Writer, a ...any) (int, error)   { return io.WriteString(w, Sprint(a...)) }
func Fprintln(w io.Writer, a ...any) (int, error) { return io.WriteString(w, Sprintln(a...)) }
func Fprintf(w io.Writer, format string, a ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, a...))
}

type wrapError struct {
	msg string
	err error
}

func (w *wrapError) Error() string { return w.msg }
func (w *wrapError) Unwrap() error { return w.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (w *wrapErrors) Error() string   { return w.msg }
func (w *wrapErrors) Unwrap() []error { return w.errs }

func Errorf(format string, a ...any) error {
	r := reader{printer: &printer{wrapping: true}, s: format, args: a}
	r.run()
	switch len(r.wrapped) {
	case 0:
		return errors.New(r.out)
	case 1:
		return &wrapError{r.out, a[r.wrapped[0]].(error)}
	}
	w := &wrapErrors{msg: r.out}
	last := -1
	for range r.wrapped { // in the order of the arguments, each once
		least := len(a)
		for _, n := range r.wrapped {
			if n > last && n < least {
				least = n
			}
		}
		if least < len(a) {
			w.errs = append(w.errs, a[least].(error))
			last = least
		}
	}
	return w
}
