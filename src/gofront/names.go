package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// ---- functions: the names that runtime.FuncForPC and tracebacks show ----

// declaredName is "main.work", "main.T.Get", "main.(*T).Set", "main.Map[...]".
func declaredName(o *types.Func) string {
	sig := o.Type().(*types.Signature)
	path := ""
	if o.Pkg() != nil {
		path = o.Pkg().Path() + "."
	}
	recv := sig.Recv()
	if recv == nil {
		return path + o.Name() + dots(sig.TypeParams())
	}
	t := recv.Type()
	q, byPointer := t.(*types.Pointer)
	if byPointer {
		t = q.Elem()
	}
	name := shown(t)
	if n, ok := t.(*types.Named); ok {
		name = n.Obj().Name() + dots(n.TypeParams())
	}
	if byPointer {
		name = "(*" + name + ")"
	}
	return path + name + "." + o.Name()
}

func dots(params *types.TypeParamList) string {
	if params.Len() > 0 {
		return "[...]"
	}
	return ""
}

// literalName is "main.main.func1"; of a literal in a literal "main.main.func1.2". The body of a range over a function counts for the function around it.
func (f *fn) literalName() string {
	for f.rangeOf != nil {
		f = f.rangeOf
	}
	f.literals++
	if f.isLiteral {
		return fmt.Sprintf("%s.%d", f.name, f.literals)
	}
	return fmt.Sprintf("%s.func%d", f.name, f.literals)
}

// bodyName is "main.main-range1": the body of a range over a function.
func (f *fn) bodyName() string {
	for f.rangeOf != nil {
		f = f.rangeOf
	}
	f.bodies++
	return fmt.Sprintf("%s-range%d", f.name, f.bodies)
}

// ---- objects: what people call a channel or a lock ----

// text is an expression as it is written, on one line and short.
func text(e ast.Expr) string {
	return strings.TrimPrefix(short(strings.Join(strings.Fields(types.ExprString(e)), " ")), "&")
}

func short(s string) string {
	if len(s) > 40 {
		s = s[:37] + "..."
	}
	return s
}

// objectName is what people call the object that an expression is, whichever variable it was reached by: "jobs" of a variable, "Pool.tasks" of a field,
// "forks[]" of an element. Otherwise the name would depend on who comes first.
func objectName(e ast.Expr, info *types.Info) string {
	s := text(e)
	switch x := unparen(e).(type) {
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
			if s = fieldName(sel.Recv(), sel.Index()); s == "" {
				s = objectName(x.X, info) + "." + x.Sel.Name
			}
		}
	case *ast.IndexExpr:
		s = objectName(x.X, info) + "[]"
	case *ast.StarExpr:
		return objectName(x.X, info)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return objectName(x.X, info)
		}
	}
	return short(s)
}

// fieldName is "TYPE.FIELD" of the field that a path leads to, with the type that declares it. "": that type has no name.
func fieldName(t types.Type, path []int) string {
	name := ""
	for _, i := range path {
		if q, ok := t.Underlying().(*types.Pointer); ok {
			t = q.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		name = ""
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + s.Field(i).Name()
		}
		t = s.Field(i).Type()
	}
	return name
}

// destinations notes for each call in a file what its value is given to: "jobs", "Pool.tasks", the name of a parameter.
func destinations(file *ast.File, info *types.Info, to map[*ast.CallExpr]string) {
	give := func(e ast.Expr, name string) {
		if c, ok := unparen(e).(*ast.CallExpr); ok && name != "_" {
			to[c] = name
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for i, e := range x.Rhs {
				give(e, objectName(x.Lhs[i], info))
			}
		case *ast.ValueSpec:
			for i, e := range x.Values {
				give(e, x.Names[i].Name)
			}
		case *ast.CompositeLit:
			for _, e := range x.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					give(kv.Value, partName(x, kv.Key, info))
				} else {
					give(e, partName(x, nil, info))
				}
			}
		case *ast.CallExpr:
			given(x, info, give)
		}
		return true
	})
}

// partName is "Pool.tasks" for a field of a literal, "[]" for an element of a list.
func partName(x *ast.CompositeLit, key ast.Expr, info *types.Info) string {
	t := info.TypeOf(x)
	if t == nil {
		return "_"
	}
	if n, ok := t.(*types.Named); ok && key != nil {
		return n.Obj().Name() + "." + text(key)
	}
	if key != nil {
		return text(key)
	}
	return "[]"
}

// given: arguments have the names of the parameters; what is appended is an element of the list.
func given(x *ast.CallExpr, info *types.Info, give func(ast.Expr, string)) {
	if id, ok := unparen(x.Fun).(*ast.Ident); ok && id.Name == "append" && len(x.Args) > 0 {
		for _, e := range x.Args[1:] {
			give(e, objectName(x.Args[0], info)+"[]")
		}
		return
	}
	sig, ok := info.TypeOf(x.Fun).(*types.Signature)
	for i := 0; ok && i < len(x.Args) && i < sig.Params().Len(); i++ {
		if name := sig.Params().At(i).Name(); name != "" {
			give(x.Args[i], name)
		}
	}
}

// label is the number of the name for what a call makes or locks: the destination of its value, or else the receiver. 0: it has none.
func (f *fn) label(x *ast.CallExpr) int64 {
	if name, ok := f.p.destination[x]; ok {
		return f.p.str(name)
	}
	if s, ok := unparen(x.Fun).(*ast.SelectorExpr); ok && f.p.isOwn(x.Pos()) {
		if sel := f.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
			name := fieldName(sel.Recv(), sel.Index()[:len(sel.Index())-1]) // of a field without a name, which has the method
			if name == "" {
				name = objectName(s.X, f.info)
			}
			return f.p.str(name)
		}
	}
	return 0
}

// ---- variables: what the pane of variables shows ----

// local is a variable of a function and where its value is while its scope lasts.
type local struct {
	o     types.Object
	typ   int64
	place place
	first int // the instruction from which on it has its value
}

var placeWords = map[placeKind]string{inFrame: "frame", inBox: "box", byValue: "copy", byBox: "shared"}

// put says where a variable is from here on.
func (f *fn) put(o types.Object, at place) {
	f.places[o] = at
	if v, ok := o.(*types.Var); ok && v.Parent() != nil && v.Name() != "_" && f.p.isOwn(v.Pos()) {
		f.locals = append(f.locals, local{o, f.p.typeID(f.sub(o.Type())), at, len(f.code)})
	}
}

// localsText prints the variables, each with the first and the last instruction of its scope.
func (f *fn) localsText() []byte {
	var out []byte
	for _, l := range f.locals {
		last := l.first - 1
		for i := l.first; i < len(f.code); i++ {
			if at := f.code[i].pos; at >= l.o.Parent().Pos() && at <= l.o.Parent().End() {
				last = i
			}
		}
		if last >= l.first {
			out = append(out, fmt.Sprintf("local %s %d %s %d %d %d\n", quoted(l.o.Name()), l.typ, placeWords[l.place.kind], l.place.at, l.first, last)...)
		}
	}
	return out
}

// isOwn says that a position is in a file of the program itself.
func (p *program) isOwn(pos token.Pos) bool {
	file := p.fset.File(pos)
	return file != nil && p.own[file.Name()]
}
