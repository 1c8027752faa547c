// Package main is the front end: it reads a Go program with Go's own parser and type checker and prints it in the form that the interpreter
// loads (FORM.md). What the form cannot say is refused by place; nothing is run differently from Go in silence.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"os"
	"runtime"
	"sort"
	"strings"
)

// ins is one instruction: an operation, its operands, its place.
type ins struct {
	op            string
	a, b, c, d, e int64
	pos           token.Pos
	uses          int64 // of a use of memory that other goroutines may know: the string with what is used, as it is written; 0: none may
}

// program is all that is printed.
type program struct {
	fset        *token.FileSet
	goLine      string
	files       map[string]int
	own         map[string]bool // files of the program itself, not of the library
	fileSeq     []string
	imports     []string // of the program itself
	strs        map[string]int
	strSeq      []string
	typeOf      map[types.Type]int
	typesNamed  map[string][]int // numbers of the types that are shown so
	typeSeq     []types.Type
	globals     map[types.Object]int
	globSeq     []types.Object
	funcs       []*fn
	byKey       map[string]*fn
	todo        []*fn
	decls       map[*types.Func]*ast.FuncDecl
	infos       map[*types.Package]*types.Info
	messages    []message
	current     *fn   // that is being lowered
	inits       []*fn // before main, by their ranks
	ranks       int
	gos         map[string]bool         // files of Go's own source, and others with rare variables
	unused      map[types.Object]func() // their variables that nothing has reached yet: adds what initialises one
	main        *fn
	errors      [errTypes]types.Type     // of what the runtime panics with
	nilPanic    types.Type               // of what panic(nil) panics with
	perIter     bool                     // loop variables are new in each iteration (go 1.22)
	destination map[*ast.CallExpr]string // what the value of a call is given to (names.go)
	lacking     map[types.Object]bool    // functions that nothing reaches (reach.go), with what we do not support
}

// Places in errors, as the form has them.
const (
	errBounds = iota
	errString
	errPlain
	errAssertion
	errTypes
)

func newProgram(version string) *program {
	p := &program{fset: token.NewFileSet(), goLine: strings.TrimPrefix(version, "go"), files: map[string]int{}, own: map[string]bool{}, strs: map[string]int{},
		typeOf: map[types.Type]int{}, typesNamed: map[string][]int{}, globals: map[types.Object]int{}, gos: map[string]bool{}, unused: map[types.Object]func(){}, byKey: map[string]*fn{},
		decls: map[*types.Func]*ast.FuncDecl{}, infos: map[*types.Package]*types.Info{}, destination: map[*ast.CallExpr]string{}, lacking: map[types.Object]bool{}}
	p.perIter = p.minor() >= 22
	p.str("") // 0: no name
	return p
}

// minor is 22 of 1.22.3; without a version, that of the newest language.
func (p *program) minor() int { return minorOf(p.goLine) }

func minorOf(version string) int {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return 1000
	}
	n := 0
	fmt.Sscanf(parts[1], "%d", &n)
	return n
}

const noTests = "no tests"

// testsOf names the tests that there are, for a person who asked for another one.
func testsOf(pkg *types.Package) string {
	var tests []string
	for _, name := range pkg.Scope().Names() {
		if _, is := pkg.Scope().Lookup(name).(*types.Func); is && strings.HasPrefix(name, "Test") {
			tests = append(tests, name)
		}
	}
	if len(tests) == 0 {
		return noTests
	}
	return strings.Join(tests, ", ")
}

// lowerAll lowers main, or the test, and all that it reaches.
func (p *program) lowerAll(l *loader, pkg *types.Package, test string) {
	entry := "main"
	if test != "" {
		entry = test
	}
	o, ok := pkg.Scope().Lookup(entry).(*types.Func)
	if !ok {
		text := "function main is undeclared in the main package"
		if test != "" {
			text = "there is no test " + test + "; the package has " + testsOf(pkg)
		} else if tests := testsOf(pkg); tests != noTests {
			text += "; --test NAME runs a test: " + tests
		}
		p.messages = append(p.messages, message{text: text})
		p.exitWith(exitMistake)
	}
	rt, err := l.Import("runtime")
	if err != nil {
		panic(err)
	}
	for i, name := range []string{errBounds: "boundsError", errString: "errorString", errPlain: "plainError", errAssertion: "TypeAssertionError"} {
		p.errors[i] = rt.Scope().Lookup(name).Type()
	}
	p.errors[errAssertion] = types.NewPointer(p.errors[errAssertion])
	p.nilPanic = types.NewPointer(rt.Scope().Lookup("PanicNilError").Type())
	for _, t := range p.errors {
		p.typeID(t)
	}
	p.main = p.declared(o, nil, o.Pos())
	if test != "" {
		p.main = p.testMain(l, o)
	}
	for n := -1; n != len(p.funcs)+len(p.typeSeq); {
		n = len(p.funcs) + len(p.typeSeq)
		p.drain()
		p.typeText()
		p.drain()
	}
}

// testMain is a function main that calls testing.Main with the test.
func (p *program) testMain(l *loader, test *types.Func) *fn {
	name := test.Name()
	sig := test.Type().(*types.Signature)
	pkg, err := l.Import("testing")
	if err != nil || sig.Params().Len() != 1 || typeName(sig.Params().At(0).Type(), fullPath) != "*testing.T" {
		p.refuse(test.Pos(), "%s is no test; func %s(t *testing.T) is one", name, name)
		p.exitWith(exitMistake)
	}
	run := p.declared(pkg.Scope().Lookup("Main").(*types.Func), nil, test.Pos())
	f := p.newFn("main.main", test.Pos())
	f.emit(test.Pos(), "str", 0, p.str(name))
	f.emit(test.Pos(), "closure", 2, int64(p.declared(test, nil, test.Pos()).number))
	f.tmp(3)
	f.emit(test.Pos(), "call", int64(run.number), 0)
	f.emit(test.Pos(), "ret")
	return f
}

func (p *program) str(s string) int64 {
	n, ok := p.strs[s]
	if !ok {
		n = len(p.strSeq)
		p.strs[s] = n
		p.strSeq = append(p.strSeq, s)
	}
	return int64(n)
}

func (p *program) file(name string) int {
	n, ok := p.files[name]
	if !ok {
		n = len(p.fileSeq)
		p.files[name] = n
		p.fileSeq = append(p.fileSeq, name)
	}
	return n
}

func (p *program) global(o types.Object) int64 {
	n, ok := p.globals[o]
	if !ok {
		n = len(p.globSeq)
		p.globals[o] = n
		p.globSeq = append(p.globSeq, o)
		if initialise := p.unused[o]; initialise != nil {
			initialise()
		}
	}
	return int64(n)
}

// print writes the form. The functions are complete, so every type is known before the first one is printed.
func (p *program) print(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "gmpscope-program 1\ngo %s %d\n", p.goLine, minorOf(strings.TrimPrefix(runtime.Version(), "go")))
	for _, path := range p.imports {
		fmt.Fprintf(b, "import %s\n", quoted(path))
	}
	var body []byte
	for _, f := range p.funcs {
		body = append(body, p.funcText(f)...)
	}
	text := p.typeText() // may add strings and types
	for i, f := range p.fileSeq {
		fmt.Fprintf(b, "file %d %s\n", i, quoted(f))
	}
	for i, f := range p.fileSeq { // of the program itself: people see it
		if p.own[f] {
			if text, err := os.ReadFile(f); err == nil {
				fmt.Fprintf(b, "text %d %s\n", i, quoted(string(text)))
			}
		}
	}
	for i, s := range p.strSeq {
		fmt.Fprintf(b, "string %d %s\n", i, quoted(s))
	}
	b.WriteString(text)
	for i, g := range p.globSeq {
		fmt.Fprintf(b, "global %d %d %s\n", i, cells(g.Type()), quoted(g.Pkg().Name()+"."+g.Name()))
	}
	b.Write(body)
	sort.SliceStable(p.inits, func(i, j int) bool { return p.inits[i].rank < p.inits[j].rank })
	for _, f := range p.inits {
		fmt.Fprintf(b, "init %d\n", f.number)
	}
	fmt.Fprint(b, "error")
	for _, t := range p.errors {
		fmt.Fprintf(b, " %d", p.typeID(t))
	}
	fmt.Fprintln(b)
	fmt.Fprintf(b, "main %d\n", p.main.number)
	return b.Flush()
}

// quoted quotes a string, whose bytes need not be UTF-8.
func quoted(s string) string {
	out := []byte{'"'}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= ' ' && c < 0x7f:
			out = append(out, c)
		default:
			out = append(out, fmt.Sprintf("\\x%02x", c)...)
		}
	}
	return string(append(out, '"'))
}

func (p *program) funcText(f *fn) []byte {
	at := p.fset.Position(f.pos)
	for n := 0; at.Filename == "" && n < len(f.code); n++ { // the values of a package's variables have no function of their own
		at = p.fset.Position(f.code[n].pos)
	}
	file := 0
	if at.Filename != "" {
		file = p.file(at.Filename)
	}
	out := []byte(fmt.Sprintf("func %d %s %d %d %d %d %d %d\n", f.number, quoted(f.name), f.nres, f.nparam, f.ctx, f.most, file, at.Line))
	out = append(out, f.localsText()...)
	for _, i := range f.code {
		at := p.fset.Position(i.pos)
		out = append(out, fmt.Sprintf("i %s %d %d %d %d %d %d %d %d\n", i.op, i.a, i.b, i.c, i.d, i.e, at.Line, at.Column, i.uses)...)
	}
	return out
}
