package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What the program's own functions reach. A function that nothing reaches is not translated, so what we do not support in it is no matter: a benchmark
// beside the test that runs. A method counts as reached if it is named, or if its type is and an interface has a method of that name.

type reach struct {
	p       *program
	pkg     *types.Package
	info    *types.Info
	decls   map[types.Object]ast.Node // functions and types
	methods map[string]bool           // the names of the methods of all interfaces
	seen    map[types.Object]bool
	reached []ast.Node // declarations
}

// drop removes the messages about what we do not support that stand in functions which the program does not reach.
func (l *loader) drop(pkg *types.Package, files []*ast.File, test string) {
	r := &reach{p: l.p, info: l.p.infos[pkg], decls: map[types.Object]ast.Node{}, methods: map[string]bool{"Error": true, "String": true}, seen: map[types.Object]bool{}}
	for _, info := range l.p.infos {
		for _, tv := range info.Types {
			if !tv.IsType() {
				continue
			}
			if i, ok := tv.Type.Underlying().(*types.Interface); ok {
				for k := 0; k < i.NumMethods(); k++ {
					r.methods[i.Method(k).Name()] = true
				}
			}
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			r.declare(d)
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if isRoot(d, test) {
				r.walk(d)
			}
		}
	}
	for again := true; again; { // a type that is reached may have methods
		again = false
		for o, d := range r.decls {
			fd, ok := d.(*ast.FuncDecl)
			if ok && !r.seen[o] && r.seen[receiver(o)] && r.methods[fd.Name.Name] {
				again = true
				r.object(o)
			}
		}
	}
	var kept []message
	for _, m := range l.p.messages {
		if !m.pos.IsValid() || r.has(m.pos, files) {
			kept = append(kept, m)
			continue
		}
		for o, d := range r.decls {
			if m.pos >= d.Pos() && m.pos <= d.End() {
				l.p.lacking[o] = true
			}
		}
	}
	l.p.messages = kept
}

func (r *reach) declare(d ast.Decl) {
	switch x := d.(type) {
	case *ast.FuncDecl:
		if o := r.info.Defs[x.Name]; o != nil {
			r.decls[o] = x
		}
	case *ast.GenDecl:
		for _, s := range x.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && r.info.Defs[t.Name] != nil {
				r.decls[r.info.Defs[t.Name]] = t
			}
		}
	}
}

// isRoot says that a declaration is reached in any case.
func isRoot(d ast.Decl, test string) bool {
	switch x := d.(type) {
	case *ast.FuncDecl:
		name := x.Name.Name
		return x.Recv == nil && (name == "init" || test == "" && name == "main" || test != "" && (name == test || name == "TestMain"))
	case *ast.GenDecl:
		return x.Tok != token.TYPE
	}
	return true
}

// receiver is the type that has the method, whatever alias the declaration uses.
func receiver(o types.Object) types.Object {
	recv := o.Type().(*types.Signature).Recv()
	if recv == nil {
		return nil
	}
	t := recv.Type()
	if q, ok := t.(*types.Pointer); ok {
		t = q.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

func (r *reach) walk(n ast.Node) {
	r.reached = append(r.reached, n)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			r.object(r.info.ObjectOf(id))
		}
		return true
	})
}

// object is one that code which is reached names.
func (r *reach) object(o types.Object) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	if o == nil || r.seen[o] {
		return
	}
	r.seen[o] = true
	if d := r.decls[o]; d != nil {
		r.walk(d)
	}
}

// has says that a place is not in a function that is not reached. An import is where it is used.
func (r *reach) has(pos token.Pos, files []*ast.File) bool {
	for _, file := range files {
		if pos < file.Pos() || pos > file.End() {
			continue
		}
		for _, d := range file.Decls {
			if pos < d.Pos() || pos > d.End() {
				continue
			}
			for _, spec := range file.Imports {
				if pos >= spec.Pos() && pos <= spec.End() {
					return r.imported(spec)
				}
			}
			return r.within(pos)
		}
	}
	return true
}

func (r *reach) within(pos token.Pos) bool {
	for _, n := range r.reached {
		if pos >= n.Pos() && pos <= n.End() {
			return true
		}
	}
	return false
}

// imported says that what is reached uses a package; one for which nobody knows the name that it gives itself may be used.
func (r *reach) imported(spec *ast.ImportSpec) bool {
	used := false
	var o types.Object = r.info.Implicits[spec]
	if spec.Name != nil {
		o = r.info.Defs[spec.Name]
	}
	for id, have := range r.info.Uses {
		if have == o && o != nil {
			used = true
			if r.within(id.Pos()) {
				return true
			}
		}
	}
	return !used
}

// unnamed says that a name is undefined because it may be that of a package that is missing: the path need not end in it.
func (l *loader) unnamed(pos token.Pos, name string) bool {
	for _, file := range l.files {
		if pos < file.Pos() || pos > file.End() {
			continue
		}
		for _, spec := range file.Imports {
			if path := strings.Trim(spec.Path.Value, "\"`"); l.missing[path] && spec.Name == nil && strings.Contains(strings.ToLower(path), strings.ToLower(name)) {
				return true
			}
		}
	}
	return false
}
