package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// loader type-checks the program and the stubs of the packages that it imports.
type loader struct {
	p     *program
	stubs string
	pkgs  map[string]*types.Package
	order []*types.Package
	files map[*types.Package][]*ast.File
	errs  []error
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return nil, errors.New("package unsafe is not supported")
	}
	if p := l.pkgs[path]; p != nil {
		return p, nil
	}
	dir := filepath.Join(l.stubs, filepath.FromSlash(path))
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	if len(names) == 0 {
		return nil, fmt.Errorf("package %s is not supported", path)
	}
	return l.check(path, names)
}

func (l *loader) check(path string, names []string) (*types.Package, error) {
	var files []*ast.File
	for _, n := range names {
		f, err := parser.ParseFile(l.p.fset, n, nil, parser.SkipObjectResolution)
		if err != nil {
			l.errs = append(l.errs, err)
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}}
	cfg := types.Config{Importer: l, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) { l.errs = append(l.errs, err) }}
	pkg, err := cfg.Check(path, l.p.fset, files, info)
	if err != nil && len(l.errs) == 0 {
		l.errs = append(l.errs, err)
	}
	if pkg == nil {
		return nil, err
	}
	l.pkgs[path] = pkg
	l.order = append(l.order, pkg)
	l.files[pkg] = files
	l.p.infos[pkg] = info
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if o, ok := info.Defs[fd.Name].(*types.Func); ok {
					l.p.decls[o] = fd
				}
			}
		}
	}
	if path == "main" {
		for _, f := range files {
			destinations(f, info, l.p.destination)
		}
	}
	l.initialise(pkg, info, files)
	return pkg, nil
}

// initialise makes the functions that give a package's variables their values, in the order that Go has found, and queues its init functions.
func (l *loader) initialise(pkg *types.Package, info *types.Info, files []*ast.File) {
	p := l.p
	if len(info.InitOrder) > 0 {
		f := p.newFn(pkg.Path()+".init", token.NoPos)
		f.info = info
		p.inits = append(p.inits, f)
		order := info.InitOrder
		p.queue(f, func() {
			f.use = &usage{free: map[*ast.FuncLit][]types.Object{}}
			for _, in := range order {
				f.use = analyse(in.Rhs, &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: in.Rhs}}}, info)
				mark := f.used
				var lhs []ast.Expr
				for _, v := range in.Lhs {
					id := ast.NewIdent(v.Name())
					id.NamePos = v.Pos()
					info.Uses[id] = v
					lhs = append(lhs, id)
				}
				f.assign(&ast.AssignStmt{Lhs: lhs, Rhs: []ast.Expr{in.Rhs}, Tok: token.ASSIGN, TokPos: in.Rhs.Pos()})
				f.used = mark
			}
			f.emit(token.NoPos, "ret")
		})
	}
	inits := 0
	for _, file := range files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv != nil || fd.Name.Name != "init" || fd.Body == nil {
				continue
			}
			f := p.newFn(fmt.Sprintf("%s.init.%d", pkg.Path(), inits), fd.Pos())
			inits++
			f.info = info
			p.inits = append(p.inits, f)
			decl := fd
			p.queue(f, func() {
				f.use = analyse(decl, decl.Body, info)
				f.begin(types.NewSignatureType(nil, nil, nil, nil, nil, false), nil, decl.Pos())
				f.body(decl.Body, decl)
			})
		}
	}
}

func main() {
	stubs := flag.String("stubs", "", "the folder with the declarations of the standard library")
	test := flag.String("test", "", "run this test of a _test.go file")
	goLine := flag.String("go", "1.22", "the language version")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: gofront -stubs DIR [-test NAME] [-go 1.N] FILE.go…")
		os.Exit(2)
	}
	p := &program{fset: token.NewFileSet(), goLine: *goLine, files: map[string]int{}, strs: map[string]int{}, typeOf: map[types.Type]int{}, typesNamed: map[string][]int{},
		globals: map[types.Object]int{}, byKey: map[string]*fn{}, decls: map[*types.Func]*ast.FuncDecl{}, infos: map[*types.Package]*types.Info{},
		destination: map[*ast.CallExpr]string{}}
	p.str("") // 0: no name
	minor := 0
	fmt.Sscanf(strings.TrimPrefix(*goLine, "1."), "%d", &minor)
	p.perIter = minor >= 22
	l := &loader{p: p, stubs: *stubs, pkgs: map[string]*types.Package{}, files: map[*types.Package][]*ast.File{}}
	names := flag.Args()
	sort.Strings(names)
	p.own = map[string]bool{}
	for _, n := range names {
		p.own[n] = true
		p.file(n)
	}
	pkg, err := l.check("main", names)
	if len(l.errs) > 0 || pkg == nil {
		if len(l.errs) == 0 {
			l.errs = append(l.errs, err)
		}
		for _, e := range l.errs {
			fmt.Fprintln(os.Stderr, e)
		}
		os.Exit(2)
	}
	seen := map[string]bool{}
	for _, f := range l.files[pkg] {
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil && !seen[path] {
				seen[path] = true
				p.imports = append(p.imports, path)
			}
		}
	}
	entry := "main"
	if *test != "" {
		entry = *test
	}
	o, ok := pkg.Scope().Lookup(entry).(*types.Func)
	if !ok {
		fmt.Fprintf(os.Stderr, "%s: function %s is undeclared in this package\n", names[0], entry)
		os.Exit(2)
	}
	p.main = p.declared(o, nil, o.Pos())
	if rt, err := l.Import("runtime"); err == nil {
		p.errorType = rt.Scope().Lookup("runtimeError").Type()
		p.typeID(p.errorType)
	}
	for n := -1; n != len(p.funcs)+len(p.typeSeq); {
		n = len(p.funcs) + len(p.typeSeq)
		p.drain()
		p.typeText()
		p.drain()
	}
	if rs := p.sortedRefusals(); len(rs) > 0 {
		for _, r := range rs {
			fmt.Fprintf(os.Stderr, "%s: %s\n", p.fset.Position(r.pos), r.what)
		}
		os.Exit(3)
	}
	if err := p.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var _ = build.Default
