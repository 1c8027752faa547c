package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// loader type-checks the program and the declarations of the packages that it imports.
type loader struct {
	p       *program
	stubs   string
	pkgs    map[string]*types.Package
	reading int             // packages of the library that are being read: they may import internal ones
	files   []*ast.File     // of the program itself
	missing map[string]bool // packages that it imports
	test    string
}

func newLoader(p *program, stubs string) *loader {
	return &loader{p: p, stubs: stubs, pkgs: map[string]*types.Package{}, missing: map[string]bool{}}
}

// goroot is where the source of the person's Go is.
func goroot() string {
	if root := os.Getenv("GOROOT"); root != "" {
		return root
	}
	if root := runtime.GOROOT(); root != "" {
		return root
	}
	command := os.Getenv("GMPSCOPE_GO")
	if command == "" {
		command = "go"
	}
	out, _ := exec.Command(command, "env", "GOROOT").Output() // built with -trimpath
	return strings.TrimSpace(string(out))
}

// ---- which files ----

const mostBytes = 4 << 20 // of all files of a program

// sources returns the files of the program: those that are named, or of a folder those that Go would build.
func (l *loader) sources(args []string, test string) []string {
	var names []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case err != nil:
			l.p.messages = append(l.p.messages, message{text: plainError(err)})
		case info.IsDir():
			names = append(names, l.folder(a, test)...)
		default:
			names = append(names, a)
		}
	}
	size := int64(0)
	for _, n := range names {
		if info, err := os.Stat(n); err == nil {
			size += info.Size()
		}
		l.p.own[n] = true
		l.p.file(n)
	}
	if size > mostBytes {
		l.p.messages = append(l.p.messages, message{text: fmt.Sprintf("the program has more than %d MB", mostBytes>>20)})
	}
	l.p.exitWith(exitMistake)
	return names
}

func plainError(err error) string {
	if e, ok := err.(*os.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// folder lists the files of a folder that Go builds here: without those of other systems, and without tests if none is asked for.
func (l *loader) folder(dir, test string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	sort.Strings(found)
	var names []string
	for _, n := range found {
		if strings.HasSuffix(n, "_test.go") && test == "" {
			continue
		}
		if fits, err := build.Default.MatchFile(dir, filepath.Base(n)); err == nil && !fits {
			continue
		}
		names = append(names, n)
	}
	if len(names) == 0 {
		l.p.messages = append(l.p.messages, message{text: "no Go files"})
	}
	return names
}

// ---- what Go checks ----

// program checks the person's own package. It does not return if it has mistakes.
func (l *loader) program(names []string, test string) *types.Package {
	files := l.parse(names)
	l.p.exitWith(exitMistake)
	for _, f := range files {
		l.head(f, files[0])
		l.p.noteImports(f)
	}
	l.files, l.test = files, test
	pkg := l.check("main", files, l.p.goLine)
	l.p.exitWith(exitMistake)
	if files[0].Name.Name != "main" && test == "" {
		l.p.messages = append(l.p.messages, message{at: l.p.fset.Position(files[0].Name.Pos()),
			text: fmt.Sprintf("package %s is not a main package; run a test of it with --test NAME", files[0].Name.Name)})
	}
	l.p.exitWith(exitMistake)
	return pkg
}

func (l *loader) parse(names []string) []*ast.File {
	var files []*ast.File
	for _, n := range names {
		f, err := parser.ParseFile(l.p.fset, n, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			l.note(err)
		}
		files = append(files, f)
	}
	return files
}

func (p *program) noteImports(f *ast.File) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		known := err != nil
		for _, have := range p.imports {
			known = known || have == path
		}
		if !known {
			p.imports = append(p.imports, path)
		}
	}
}

// head refuses what a file asks of Go's tools.
func (l *loader) head(f, first *ast.File) {
	if f.Name.Name != first.Name.Name {
		l.p.refuse(f.Name.Pos(), "found packages %s and %s; a folder has one package", first.Name.Name, f.Name.Name)
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			for _, directive := range []string{"//go:linkname", "//go:embed"} {
				if strings.HasPrefix(c.Text, directive+" ") {
					l.p.refuse(c.Pos(), "%s is not supported; write the function or the value in Go", directive)
				}
			}
		}
	}
}

// check type-checks a package. version: of the language; "": the newest that there is.
func (l *loader) check(path string, files []*ast.File, version string) *types.Package {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}}
	cfg := types.Config{Importer: l, Sizes: types.SizesFor("gc", "amd64"), Error: l.note}
	if version != "" {
		cfg.GoVersion = "go" + version
	}
	pkg, err := cfg.Check(path, l.p.fset, files, info)
	if err != nil && len(l.p.messages) == 0 {
		l.note(err)
	}
	l.pkgs[path] = pkg
	l.p.infos[pkg] = info
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if o, ok := info.Defs[fd.Name].(*types.Func); ok {
					l.p.decls[o] = fd
				}
			}
		}
		if path == "main" {
			destinations(f, info, l.p.destination)
			l.p.unsupported(f, info)
		}
	}
	if path == "main" {
		l.drop(pkg, files, l.test)
	}
	if path != "main" || len(l.p.messages) == 0 {
		l.p.initialise(pkg, info, files)
	}
	return pkg
}

// Import finds the declarations of a package of the library.
func (l *loader) Import(path string) (*types.Package, error) {
	hidden := strings.HasPrefix(path, "internal/") && l.reading == 0
	if p := l.pkgs[path]; p != nil && !hidden {
		return p, nil
	}
	names, _ := filepath.Glob(filepath.Join(l.stubs, filepath.FromSlash(path), "*.go"))
	if len(names) == 0 || hidden {
		l.missing[path] = true
		return nil, fmt.Errorf("package %s is not supported; %s", path, l.instead(path))
	}
	l.reading++
	defer func() { l.reading-- }()
	files := l.parse(names)
	for i, f := range files {
		l.p.gos[names[i]] = f != nil && has(f, "//gofront:lazy")
	}
	if path == "unicode" {
		tables, err := parser.ParseFile(l.p.fset, "unicode tables", unicodeTables(), parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, tables)
	}
	for _, n := range withDirective(files) {
		name := filepath.Join(goroot(), "src", filepath.FromSlash(n))
		if _, err := os.Stat(name); err == nil { // not every Go has every file
			l.p.gos[name] = true
			files = append(files, l.parse([]string{name})...)
		}
	}
	return l.check(path, files, ""), nil
}

func has(f *ast.File, directive string) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Text == directive {
				return true
			}
		}
	}
	return false
}

// withDirective lists the files of Go's own source that the declarations ask for: //gofront:goroot sort/zsortfunc.go
func withDirective(files []*ast.File) []string {
	var names []string
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if rest := strings.TrimPrefix(c.Text, "//gofront:goroot "); rest != c.Text {
					names = append(names, strings.Fields(rest)...)
				}
			}
		}
	}
	return names
}

// what to write instead of a package
var advice = map[string]string{
	"C":             "write the function in Go",
	"unsafe":        "write it without pointers to memory",
	"reflect":       "use a type switch, or %T and %v of fmt",
	"net":           "there is no network: let a goroutine answer over a channel, and time.Sleep be the time that it takes",
	"net/http":      "there is no network: let a goroutine answer over a channel, and time.Sleep be the time that it takes",
	"os/exec":       "let a goroutine do the work",
	"flag":          "write the values into the program, as constants",
	"encoding/json": "print with %+v of fmt",
	"regexp":        "use Contains, Index, Cut of strings",
	"math/cmplx":    "use two floats",
	"log/slog":      "use log",
	"testing/quick": "call the function with values of your own",
}

// instead says what to write instead of a package; for one that has no advice, which there are.
func (l *loader) instead(path string) string {
	if text := advice[path]; text != "" {
		return text
	}
	first := strings.Split(path, "/")[0]
	if _, err := os.Stat(filepath.Join(goroot(), "src", filepath.FromSlash(path))); err != nil && !strings.Contains(first, ".") {
		return "put its files into the package main"
	}
	var have []string
	filepath.Walk(l.stubs, func(name string, info os.FileInfo, err error) error {
		if err == nil && strings.HasSuffix(name, ".go") {
			dir, _ := filepath.Rel(l.stubs, filepath.Dir(name))
			if !strings.HasPrefix(dir, "internal") && (len(have) == 0 || have[len(have)-1] != filepath.ToSlash(dir)) {
				have = append(have, filepath.ToSlash(dir))
			}
		}
		return nil
	})
	return "supported are " + strings.Join(have, ", ")
}

// ---- what Go allows and we do not ----

// unsupported refuses what the form has no words for, wherever it is in the person's own files.
func (p *program) unsupported(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncDecl:
			if x.Body == nil {
				p.messages = append(p.messages, message{at: p.fset.Position(x.Pos()), text: "missing function body"})
			}
		case ast.Expr:
			t := info.TypeOf(x)
			if t == nil {
				return true
			}
			if _, generic := t.(*types.TypeParam); !generic && cells(t) >= tooMany {
				p.refuse(x.Pos(), "a value of more than %d elements is not supported; make a slice", tooMany)
				return false
			}
			if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsComplex != 0 {
				if tv := info.Types[x]; tv.Value == nil || b.Info()&types.IsUntyped == 0 {
					p.refuse(x.Pos(), "complex numbers are not supported; use two floats")
					return false
				}
			}
		}
		return true
	})
}

// ---- package variables ----

// initialise makes the functions that give a package's variables their values, in the order that Go has found, and queues its init functions.
func (p *program) initialise(pkg *types.Package, info *types.Info, files []*ast.File) {
	var all []*types.Initializer
	for _, in := range info.InitOrder {
		rank, one := p.rank(), []*types.Initializer{in}
		if !p.gos[p.fset.Position(in.Rhs.Pos()).Filename] {
			all = append(all, in)
			continue
		}
		for _, v := range in.Lhs { // a table in Go's own source: only if the program reaches it (global)
			p.unused[v] = func() {
				for _, v := range one[0].Lhs {
					delete(p.unused, v)
				}
				p.initFunction(pkg, info, one, rank)
			}
		}
	}
	if len(all) > 0 {
		p.initFunction(pkg, info, all, p.rank())
	}
	n := 0
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Name.Name != "init" || decl.Body == nil {
				continue
			}
			f := p.newFn(fmt.Sprintf("%s.init.%d", pkg.Path(), n), decl.Pos())
			n++
			f.info, f.rank = info, p.rank()
			p.inits = append(p.inits, f)
			p.queue(f, func() {
				f.use = analyse(decl, decl.Body, info, p.perIter)
				f.begin(types.NewSignatureType(nil, nil, nil, nil, nil, false), nil, decl.Pos())
				f.body(decl.Body, decl)
			})
		}
	}
}

// rank is the place of a function among those that run before main.
func (p *program) rank() int {
	p.ranks++
	return p.ranks
}

func (p *program) initFunction(pkg *types.Package, info *types.Info, all []*types.Initializer, rank int) {
	f := p.newFn(pkg.Path()+".init", token.NoPos)
	f.info, f.rank = info, rank
	p.inits = append(p.inits, f)
	p.queue(f, func() {
		for _, in := range all {
			f.initVariables(in, info)
		}
		f.emit(token.NoPos, "ret")
	})
}

// initVariables assigns one initial value to the variables that it belongs to.
func (f *fn) initVariables(in *types.Initializer, info *types.Info) {
	f.use = analyse(in.Rhs, &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: in.Rhs}}}, info, f.p.perIter)
	mark := f.used
	var lhs []ast.Expr
	for _, v := range in.Lhs {
		id := ast.NewIdent(v.Name())
		id.NamePos = v.Pos()
		info.Uses[id] = v
		info.Types[id] = types.TypeAndValue{Type: v.Type()}
		lhs = append(lhs, id)
	}
	f.assign(&ast.AssignStmt{Lhs: lhs, Rhs: []ast.Expr{in.Rhs}, Tok: token.ASSIGN, TokPos: in.Rhs.Pos()})
	f.used = mark
}
