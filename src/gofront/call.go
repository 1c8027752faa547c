package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// ---- functions as values ----

// callee is what a call calls.
type callee struct {
	f       *fn // known; nil: see the rest
	closure int // the cell that has a closure
	method  string
	iface   int  // the cells of an interface whose method is called
	recv    bool // the receiver is already at `recvAt`
	recvAt  int
	recvT   types.Type
	sig     *types.Signature
}

func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// declared returns the function of a declaration with these type arguments.
func (p *program) declared(o *types.Func, args []types.Type, pos token.Pos) *fn {
	o = o.Origin()
	decl := p.decls[o]
	if decl == nil || p.lacking[o] {
		p.refuse(pos, "%s is not supported", o.FullName())
		decl = &ast.FuncDecl{Name: ast.NewIdent(o.Name()), Type: &ast.FuncType{}, Body: nil}
	}
	key := o.FullName()
	for _, a := range args {
		key += fmt.Sprintf(",%d", p.typeID(a))
	}
	if f := p.byKey[key]; f != nil {
		return f
	}
	f := p.newFn(declaredName(o), decl.Pos())
	if p.isOwn(pos) {
		f.by = pos
	}
	p.byKey[key] = f
	f.info = p.infos[o.Pkg()]
	sig := o.Type().(*types.Signature)
	f.subst = substitution(sig, args)
	p.queue(f, func() {
		if decl.Body == nil { // the interpreter does it
			f.begin(sig, sig.Recv(), decl.Pos())
			f.emit(decl.Pos(), "sys", p.str(o.FullName()), 0)
			f.emit(decl.Pos(), "ret")
			return
		}
		f.use = analyse(decl, decl.Body, f.info, f.p.perIter)
		f.begin(sig, sig.Recv(), decl.Pos())
		f.body(decl.Body, decl)
	})
	return f
}

func substitution(sig *types.Signature, args []types.Type) map[*types.TypeParam]types.Type {
	params := sig.TypeParams()
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
	}
	if params.Len() == 0 || len(args) < params.Len() {
		return nil
	}
	m := map[*types.TypeParam]types.Type{}
	for i := 0; i < params.Len(); i++ {
		m[params.At(i)] = args[i]
	}
	return m
}

// typeArgs are those of the named type that has a method.
func typeArgs(t types.Type) []types.Type {
	if q, ok := t.(*types.Pointer); ok {
		t = q.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.TypeArgs() == nil {
		return nil
	}
	var out []types.Type
	for i := 0; i < n.TypeArgs().Len(); i++ {
		out = append(out, n.TypeArgs().At(i))
	}
	return out
}

func (f *fn) instance(id *ast.Ident) []types.Type {
	in, ok := f.info.Instances[id]
	if !ok {
		return nil
	}
	var out []types.Type
	for i := 0; i < in.TypeArgs.Len(); i++ {
		out = append(out, f.sub(in.TypeArgs.At(i)))
	}
	return out
}

// funcName returns the identifier of a declared function that e names, with or without type arguments.
func funcName(e ast.Expr) *ast.Ident {
	switch x := unparen(e).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return funcName(x.X)
	case *ast.IndexListExpr:
		return funcName(x.X)
	}
	return nil
}

// function evaluates a declared function, a method value or a method expression as a closure.
func (f *fn) function(e ast.Expr, at int) {
	e = unparen(e)
	if x, ok := e.(*ast.SelectorExpr); ok {
		if s := f.info.Selections[x]; s != nil {
			f.methodValue(x, s, at)
			return
		}
	}
	id := funcName(e)
	o, ok := f.info.ObjectOf(id).(*types.Func)
	if !ok {
		f.p.refuse(e.Pos(), "this as a value")
		return
	}
	target := f.p.declared(o, f.instance(id), e.Pos())
	f.emit(e.Pos(), "closure", int64(at), int64(f.p.thunk(target).number), 0, 0)
}

// thunk is a declared function with a closure's frame: it has the cell ctx, and ignores it. The params of both lie at the same cells.
func (p *program) thunk(target *fn) *fn { return target }

// selected is the method that a selector names; of a type parameter, that of its argument.
func (f *fn) selected(x *ast.SelectorExpr, s *types.Selection) (*types.Func, []int) {
	m, path := s.Obj().(*types.Func), s.Index()
	if _, generic := f.info.TypeOf(x.X).(*types.TypeParam); generic {
		if o, index, _ := types.LookupFieldOrMethod(f.typ(x.X), true, m.Pkg(), m.Name()); o != nil {
			if found, ok := o.(*types.Func); ok {
				return found, index
			}
		}
	}
	return m, path
}

// methodValue is x.M or T.M.
func (f *fn) methodValue(x *ast.SelectorExpr, s *types.Selection, at int) {
	sig := f.sub(s.Type()).(*types.Signature)
	m, path := f.selected(x, s)
	w := f.p.newFn(declaredName(m)+"-fm", x.Pos())
	w.info, w.subst = f.info, f.subst
	w.ctx = 0
	if s.Kind() == types.MethodExpr {
		w.ctx = -1
		w.begin(sig, nil, x.Pos())
		t := sig.Params().At(0).Type()
		w.forward(w.method(lvalue{kind: lFrame, at: w.nres, t: t}, t, m, path, x.Pos()), cells(t), x.Pos())
		f.emit(x.Pos(), "closure", int64(at), int64(w.number), 0, 0)
		return
	}
	// The receiver is evaluated now: a copy of the value, the address, or the interface.
	c := f.method(f.operand(x.X), f.typ(x.X), m, path, x.Pos())
	from, n := c.iface, 2
	if c.recv {
		from, n = c.recvAt, cells(c.recvT)
	} else {
		f.notNil(c.iface, x.Pos())
	}
	w.begin(sig, nil, x.Pos())
	r := w.tmp(n)
	w.emit(x.Pos(), "load", int64(r), int64(w.ctx), int64(n), 1)
	f.emit(x.Pos(), "closure", int64(at), int64(w.number), int64(n), int64(from))
	c.recvAt, c.iface = r, r
	w.forward(c, 0, x.Pos())
}

// notNil panics as a nil pointer does if the cell is 0.
func (f *fn) notNil(cell int, pos token.Pos) {
	given := f.emit(pos, "jnz", int64(cell), 0)
	v := f.tmp(1)
	f.emit(pos, "load", int64(v), int64(cell), 1, 0)
	f.to([]int{given}, f.here())
}

// forward makes a wrapper's body: it makes the call with its own params, without the first cells of them.
func (f *fn) forward(c callee, skip int, pos token.Pos) {
	at := f.nres + skip
	n := f.nparam - skip
	base, nres := f.used, f.nres
	f.place(c, base, nres, pos)
	f.tmp(nres + c.recvCells() + n)
	f.mov(pos, base+nres+c.recvCells(), at, n)
	f.invoke("call", c, base, pos)
	f.mov(pos, 0, base, nres)
	f.emit(pos, "ret")
}

func (c *callee) recvCells() int {
	if c.recv {
		return cells(c.recvT)
	}
	if c.method != "" {
		return 1 // the data of the interface
	}
	return 0
}

// method finds what a selector calls: through embedded fields, pointers, interfaces.
func (f *fn) method(l lvalue, t types.Type, m *types.Func, path []int, pos token.Pos) callee {
	if len(path) > 1 {
		l = f.field(l, t, path[:len(path)-1], pos)
		t = l.t
	}
	if types.IsInterface(t) {
		sig := f.sub(m.Type()).(*types.Signature)
		return callee{method: methodName(m, sig), iface: f.load(l, pos), sig: sig}
	}
	sig := m.Type().(*types.Signature)
	want := isPointer(sig.Recv().Type())
	args := typeArgs(t)
	if q, ok := t.(*types.Pointer); ok {
		args = typeArgs(q.Elem())
	}
	c := callee{f: f.p.declared(m, args, pos), recv: true, sig: sig}
	switch {
	case want && !isPointer(t):
		if l.kind != lMem { // a value without an address: only in wrappers, where it is a copy
			box := f.tmp(1)
			v := f.load(l, pos)
			f.emit(pos, "new", int64(box), int64(max(cells(t), 1)), f.p.str(shown(t)))
			f.emit(pos, "init", int64(box), int64(v), int64(cells(t)))
			l = lvalue{kind: lMem, at: box, t: t}
		}
		c.recvAt, c.recvT = f.address(l, pos), types.NewPointer(t)
	case !want && isPointer(t):
		e := t.Underlying().(*types.Pointer).Elem()
		c.recvAt, c.recvT = f.load(lvalue{kind: lMem, at: f.load(l, pos), t: e}, pos), e
	default:
		c.recvAt, c.recvT = f.load(l, pos), t
	}
	return c
}

// ifaceMethod is the function by which an interface calls a method of type t: its receiver is the data cell of the interface.
func (p *program) ifaceMethod(t types.Type, s *types.Selection) *fn {
	m := s.Obj().(*types.Func)
	key := fmt.Sprintf("iface %d.", p.typeID(t)) + methodName(m, s.Type().(*types.Signature))
	if f := p.byKey[key]; f != nil {
		return f
	}
	if p.decls[m.Origin()] == nil && !types.IsInterface(s.Recv()) && len(s.Index()) == 1 {
		return nil
	}
	f := p.newFn(declaredName(m), m.Pos())
	p.byKey[key] = f
	f.info = p.infos[m.Pkg()]
	sig := s.Type().(*types.Signature)
	p.queue(f, func() {
		data := types.NewVar(token.NoPos, nil, "", types.NewPointer(t))
		if cells(t) == 1 {
			data = types.NewVar(token.NoPos, nil, "", t)
		}
		f.begin(sig, data, m.Pos())
		l := lvalue{kind: lFrame, at: f.nres, t: t}
		if cells(t) != 1 {
			l = lvalue{kind: lMem, at: f.nres, t: t}
		}
		c := f.method(l, t, m, s.Index(), m.Pos())
		f.forward(c, 1, m.Pos())
	})
	return f
}

// literal makes a closure of a function literal.
func (f *fn) literal(x *ast.FuncLit, at int) {
	w := f.p.newFn(f.literalName(), x.Pos())
	w.info, w.subst, w.use = f.info, f.subst, f.use
	w.ctx, w.isLiteral = 0, true
	free := f.use.free[x]
	sig := f.info.TypeOf(x).(*types.Signature)
	caps := 0
	for _, o := range free {
		caps += f.capturedCells(o)
	}
	v := f.tmp(caps)
	f.capture(free, v, x.Pos())
	f.emit(x.Pos(), "closure", int64(at), int64(w.number), int64(caps), int64(v))
	f.p.queue(w, func() {
		at := 1
		for _, o := range free {
			k := byValue
			if f.use.boxed(o) {
				k = byBox
			}
			w.put(o, place{k, at})
			at += f.capturedCells(o)
		}
		w.begin(sig, nil, x.Pos())
		w.body(x.Body, x)
	})
}

// capturedCells is what a closure keeps of a variable: the address of its box, or its value.
func (f *fn) capturedCells(o types.Object) int {
	if f.use.boxed(o) {
		return 1
	}
	return cells(f.sub(o.Type()))
}

// capture writes what a closure keeps, one variable behind the other.
func (f *fn) capture(free []types.Object, to int, pos token.Pos) {
	for _, o := range free {
		q := f.places[o]
		switch {
		case f.use.boxed(o) && q.kind == inBox:
			f.mov(pos, to, q.at, 1)
		case f.use.boxed(o):
			f.emit(pos, "load", int64(to), int64(f.ctx), 1, int64(q.at))
		default:
			f.loadTo(f.variable(o, pos), to, pos)
		}
		to += f.capturedCells(o)
	}
}

// ---- calls ----

// resolve finds what a call calls, and evaluates what is needed for it.
func (f *fn) resolve(x *ast.CallExpr) callee {
	fun := unparen(x.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if sel := f.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
			return f.methodCall(s, sel)
		}
	}
	if id := funcName(fun); id != nil {
		if o, ok := f.info.ObjectOf(id).(*types.Func); ok && o.Type().(*types.Signature).Recv() == nil {
			target := f.p.declared(o, f.instance(id), x.Pos())
			return callee{f: target, sig: f.sub(f.info.TypeOf(fun)).(*types.Signature)}
		}
	}
	c := f.tmp(1)
	f.exprTo(fun, c)
	return callee{closure: c, sig: f.under(fun).(*types.Signature)}
}

func (f *fn) methodCall(s *ast.SelectorExpr, sel *types.Selection) callee {
	t := f.typ(s.X)
	m, path := f.selected(s, sel)
	c := f.method(f.operand(s.X), t, m, path, s.Sel.Pos())
	c.sig = f.sub(sel.Type()).(*types.Signature)
	if c.recv { // its place is that of the arguments' temporaries
		at := f.tmp(cells(c.recvT))
		f.mov(s.Pos(), at, c.recvAt, cells(c.recvT))
		c.recvAt = at
	}
	return c
}

// place writes the receiver where the callee finds it.
func (f *fn) place(c callee, base, nres int, pos token.Pos) {
	if c.recv {
		n := cells(c.recvT)
		if base+nres+n > f.most {
			f.most = base + nres + n
		}
		f.mov(pos, base+nres, c.recvAt, n)
	}
}

// invoke emits the call, or the go or the defer of it.
func (f *fn) invoke(how string, c callee, base int, pos token.Pos) {
	if how == "defer" {
		f.defersOutside(pos)
		if c.f == nil && c.method == "" { // a nil function is called at the end, too
			given := f.emit(pos, "jnz", int64(c.closure), 0)
			f.emit(pos, "closure", int64(c.closure), int64(f.p.nilCall().number), 0, 0)
			f.to([]int{given}, f.here())
		}
	}
	switch {
	case c.f != nil:
		f.emit(pos, how, int64(c.f.number), int64(base))
	case c.method != "":
		f.emit(pos, how+"i", int64(c.iface), int64(base), f.p.str(c.method), int64(cells(c.sig.Results())))
	default:
		f.emit(pos, how+"c", int64(c.closure), int64(base), int64(cells(c.sig.Results())), int64(cells(c.sig.Params())))
	}
}

// nilCall is a function that calls nil.
func (p *program) nilCall() *fn {
	if f := p.byKey["nil"]; f != nil {
		return f
	}
	f := p.newFn("nil", token.NoPos)
	p.byKey["nil"] = f
	f.emit(token.NoPos, "const", int64(f.tmp(1)), 0)
	f.emit(token.NoPos, "callc", 0, 1, 0, 0)
	f.emit(token.NoPos, "ret")
	return f
}

// arguments evaluates a call's arguments at the cells where the callee finds them, and returns how many cells they take.
func (f *fn) arguments(x *ast.CallExpr, sig *types.Signature, at int) {
	params := sig.Params()
	n := params.Len()
	f.hoistAs(func(i int) types.Type { return f.paramType(x, sig, i) }, x.Args)
	if len(x.Args) == 1 && n > 1 || len(x.Args) == 1 && n == 1 && sig.Variadic() && isTuple(f.typ(x.Args[0])) { // f(g()) with several results
		if t, ok := f.typ(x.Args[0]).(*types.Tuple); ok {
			f.spread(x, t, sig, at)
			return
		}
	}
	for i := 0; i < n; i++ {
		t := f.sub(params.At(i).Type())
		if sig.Variadic() && i == n-1 && !x.Ellipsis.IsValid() {
			f.variadic(x.Args[min(i, len(x.Args)):], t.Underlying().(*types.Slice), at, x.Rparen)
		} else {
			f.exprAs(x.Args[i], t, at)
		}
		at += cells(t)
	}
}

// paramType is what argument i becomes.
func (f *fn) paramType(x *ast.CallExpr, sig *types.Signature, i int) types.Type {
	n := sig.Params().Len()
	if !sig.Variadic() || i < n-1 || x.Ellipsis.IsValid() {
		return f.sub(sig.Params().At(min(i, n-1)).Type())
	}
	return f.sub(sig.Params().At(n - 1).Type()).Underlying().(*types.Slice).Elem()
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// variadic makes the slice of the last parameter.
func (f *fn) variadic(args []ast.Expr, s *types.Slice, at int, pos token.Pos) {
	if len(args) == 0 {
		f.zero(pos, at, 3)
		return
	}
	n := cells(s.Elem())
	f.emit(pos, "new", int64(at), int64(max(n*len(args), 1)), f.p.str("[]"+shown(s.Elem())))
	f.emit(pos, "const", int64(at+1), int64(len(args)))
	f.emit(pos, "const", int64(at+2), int64(len(args)))
	for i, a := range args {
		mark := f.used
		v := f.tmp(n)
		f.exprAs(a, s.Elem(), v)
		f.emit(a.Pos(), "init", int64(at), int64(v), int64(n), int64(i*n))
		f.used = mark
	}
}

// spread passes the results of a call on as arguments.
func (f *fn) spread(x *ast.CallExpr, t *types.Tuple, sig *types.Signature, at int) {
	v := f.expr(x.Args[0])
	params := sig.Params()
	n := params.Len()
	var rest *types.Slice
	fixed := n
	if sig.Variadic() {
		rest = f.sub(params.At(n - 1).Type()).Underlying().(*types.Slice)
		fixed--
	}
	for i := 0; i < t.Len() && i < fixed; i++ {
		p := f.sub(params.At(i).Type())
		f.mov(x.Pos(), at, f.convert(v, t.At(i).Type(), p, x.Pos()), cells(p))
		at += cells(p)
		v += cells(t.At(i).Type())
	}
	if rest == nil {
		return
	}
	m := t.Len() - fixed
	elem := cells(rest.Elem())
	if m <= 0 {
		f.zero(x.Pos(), at, 3)
		return
	}
	f.emit(x.Pos(), "new", int64(at), int64(max(m*elem, 1)), f.p.str("[]"+shown(rest.Elem())))
	f.emit(x.Pos(), "const", int64(at+1), int64(m))
	f.emit(x.Pos(), "const", int64(at+2), int64(m))
	for i := 0; i < m; i++ {
		from := t.At(fixed + i).Type()
		f.emit(x.Pos(), "init", int64(at), int64(f.convert(v, from, rest.Elem(), x.Pos())), int64(elem), int64(i*elem))
		v += cells(from)
	}
}

// call evaluates a call and returns the cell of its first result.
func (f *fn) call(x *ast.CallExpr) int {
	if tv := f.info.Types[x.Fun]; tv.IsType() {
		return f.conversion(x)
	} else if tv.IsBuiltin() {
		return f.builtin(x)
	}
	return f.started("call", x)
}

// started evaluates what a call, go or defer needs, and emits it.
func (f *fn) started(how string, x *ast.CallExpr) int {
	f.hoistCall(x)
	c := f.resolve(x)
	nres := cells(c.sig.Results())
	if c.sig.Results() == nil {
		nres = 0
	}
	base := f.tmp(nres + c.recvCells() + max(cells(c.sig.Params()), 0))
	f.place(c, base, nres, x.Pos())
	f.arguments(x, c.sig, base+nres+c.recvCells())
	// Temporaries of the arguments lie behind the callee's frame. They are dead now, and the frame is made over them.
	f.invoke(how, c, base, x.Pos()) // where Go says that a goroutine was created
	f.code[len(f.code)-1].e = f.label(x)
	return base
}

// conversion is T(x).
func (f *fn) conversion(x *ast.CallExpr) int {
	to, from := f.typ(x), f.typ(x.Args[0])
	at := f.tmp(cells(to))
	if types.IsInterface(to) {
		f.exprAs(x.Args[0], to, at)
		return at
	}
	if f.info.Types[x.Args[0]].IsNil() {
		f.zero(x.Pos(), at, cells(to))
		return at
	}
	v := f.expr(x.Args[0])
	tk, fk := kind(to), kind(from)
	ts, toSlice := to.Underlying().(*types.Slice)
	fs, fromSlice := from.Underlying().(*types.Slice)
	switch {
	case fromSlice && !toSlice && tk != "s":
		f.toArray(x, v, to, at)
	case tk == "s" && fk == "s":
		f.mov(x.Pos(), at, v, 2)
	case tk == "s" && fromSlice:
		op := "bytestostr"
		if kind(fs.Elem()) == "i32" {
			op = "runestostr"
		}
		f.emit(x.Lparen, op, int64(at), int64(v))
	case toSlice && fk == "s":
		op := "strtobytes"
		if kind(ts.Elem()) == "i32" {
			op = "strtorunes"
		}
		f.emit(x.Lparen, op, int64(at), int64(v))
	case tk == "s":
		f.emit(x.Lparen, "runetostr", int64(at), int64(v))
	case tk != fk && tk != "p" && fk != "p":
		f.emit(x.Lparen, "conv", int64(at), int64(v), kindNumber[fk], kindNumber[tk])
	default:
		f.mov(x.Pos(), at, v, cells(to))
	}
	return at
}

// spreadBuiltin evaluates g of copy(g()) and makes it a call with an argument for each result.
func (f *fn) spreadBuiltin(x *ast.CallExpr, t *types.Tuple) *ast.CallExpr {
	call := *x
	call.Args = nil
	v := f.call(unparen(x.Args[0]).(*ast.CallExpr))
	for i := 0; i < t.Len(); i++ {
		call.Args = append(call.Args, f.valueAt(f, place{inFrame, v}, f.sub(t.At(i).Type()), x.Pos()))
		v += cells(f.sub(t.At(i).Type()))
	}
	f.info.Types[&call] = f.info.Types[x]
	return &call
}

// valueAt is an expression for a value that is already there, at a place of the function w.
func (f *fn) valueAt(w *fn, at place, t types.Type, pos token.Pos) ast.Expr {
	o := types.NewVar(pos, nil, "value", t)
	id := ast.NewIdent("value")
	id.NamePos = pos
	f.info.Uses[id] = o
	f.info.Types[id] = types.TypeAndValue{Type: t}
	w.places[o] = at
	return id
}

// toArray converts a slice to an array, or to a pointer to one.
func (f *fn) toArray(x *ast.CallExpr, s int, to types.Type, at int) {
	if p, ok := to.Underlying().(*types.Pointer); ok {
		f.emit(x.Lparen, "toarray", int64(at), int64(s), p.Elem().Underlying().(*types.Array).Len())
		return
	}
	a := f.tmp(1)
	f.emit(x.Lparen, "toarray", int64(a), int64(s), to.Underlying().(*types.Array).Len())
	if n := cells(to); n > 0 {
		f.emit(x.Lparen, "load", int64(at), int64(a), int64(n), 0)
	}
}

// ---- builtin functions ----

func (f *fn) builtin(x *ast.CallExpr) int {
	if len(x.Args) == 1 {
		if t, ok := f.typ(x.Args[0]).(*types.Tuple); ok {
			x = f.spreadBuiltin(x, t)
		}
	}
	name := ""
	switch b := unparen(x.Fun).(type) {
	case *ast.Ident:
		name = b.Name
	case *ast.SelectorExpr:
		name = b.Sel.Name
	}
	t := f.typ(x)
	at := f.tmp(max(cells(t), 1))
	switch name {
	case "len", "cap":
		f.length(name, x.Args[0], at)
	case "make":
		f.make(x, t, at)
	case "new":
		e, v := t.Underlying().(*types.Pointer).Elem(), -1
		if !f.info.Types[x.Args[0]].IsType() { // since Go 1.26: new(value)
			v = f.tmp(cells(e))
			f.exprAs(x.Args[0], e, v)
		}
		f.emit(x.Lparen, "new", int64(at), int64(max(cells(e), 1)), f.p.str(shown(e)))
		if v >= 0 {
			f.emit(x.Lparen, "init", int64(at), int64(v), int64(cells(e)))
		}
	case "append":
		f.appendTo(x, at)
	case "copy":
		d := f.expr(x.Args[0])
		if kind(f.typ(x.Args[1])) == "s" {
			f.uses(text(x.Args[0]), f.emit(x.Lparen, "copystr", int64(at), int64(d), int64(f.expr(x.Args[1]))))
			break
		}
		f.uses(text(x.Args[0]), f.emit(x.Lparen, "copy", int64(at), int64(d), int64(f.expr(x.Args[1])), int64(cells(f.under(x.Args[0]).(*types.Slice).Elem()))))
	case "delete":
		m := f.under(x.Args[0]).(*types.Map)
		v := f.expr(x.Args[0])
		k := f.tmp(cells(m.Key()))
		f.exprAs(x.Args[1], m.Key(), k)
		f.uses(text(x.Args[0]), f.emit(x.Lparen, "mapdel", int64(v), int64(k), f.p.typeID(f.typ(x.Args[0]))))
	case "clear":
		v := f.expr(x.Args[0])
		if s, ok := f.under(x.Args[0]).(*types.Slice); ok {
			f.uses(text(x.Args[0]), f.emit(x.Lparen, "clear", int64(v), int64(cells(s.Elem()))))
		} else {
			f.uses(text(x.Args[0]), f.emit(x.Lparen, "mapclear", int64(v)))
		}
	case "close":
		f.emit(x.Lparen, "close", int64(f.expr(x.Args[0])))
	case "panic":
		v := f.tmp(2)
		f.exprAs(x.Args[0], types.NewInterfaceType(nil, nil), v)
		if types.IsInterface(f.typ(x.Args[0])) || f.info.Types[x.Args[0]].IsNil() {
			f.noNilPanic(v, x.Lparen)
		}
		f.emit(x.Lparen, "panic", int64(v))
	case "recover":
		f.emit(x.Lparen, "recover", int64(at))
	case "print", "println":
		f.printed(name, x)
	case "min", "max":
		f.extreme(name, x, t, at)
	default:
		f.p.refuse(x.Pos(), "the function %s", name)
	}
	return at
}

// noNilPanic: since Go 1.21 panic(nil) panics with a *runtime.PanicNilError.
func (f *fn) noNilPanic(v int, pos token.Pos) {
	if f.p.minor() < 21 {
		return
	}
	given := f.emit(pos, "jnz", int64(v), 0)
	box := f.tmp(1)
	f.emit(pos, "new", int64(box), 1, f.p.str("runtime.PanicNilError"))
	f.emit(pos, "iface", int64(v), f.p.typeID(f.p.nilPanic), int64(box))
	f.to([]int{given}, f.here())
}

func (f *fn) length(name string, e ast.Expr, at int) {
	pos := e.Pos()
	switch u := f.under(e).(type) {
	case *types.Basic:
		f.mov(pos, at, f.expr(e)+1, 1)
	case *types.Slice:
		v := f.expr(e)
		if name == "len" {
			f.mov(pos, at, v+1, 1)
		} else {
			f.mov(pos, at, v+2, 1)
		}
	case *types.Map:
		f.uses(text(e), f.emit(pos, "maplen", int64(at), int64(f.expr(e))))
	case *types.Chan:
		f.emit(pos, "chan"+name, int64(at), int64(f.expr(e)))
	case *types.Array:
		f.emit(pos, "const", int64(at), u.Len())
	case *types.Pointer:
		f.expr(e)
		f.emit(pos, "const", int64(at), u.Elem().Underlying().(*types.Array).Len())
	}
}

func (f *fn) make(x *ast.CallExpr, t types.Type, at int) {
	size := func(i int) int64 {
		v := f.tmp(1)
		if len(x.Args) > i {
			f.exprTo(x.Args[i], v)
			if k := kind(f.typ(x.Args[i])); k != "i64" && k != "p" && f.info.Types[x.Args[i]].Value == nil {
				f.emit(x.Lparen, "conv", int64(v), int64(v), kindNumber[k], kindNumber["i64"])
			}
		} else if i == 2 {
			return -1
		} else {
			f.emit(x.Lparen, "const", int64(v), 0)
		}
		return int64(v)
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		n := size(1)
		f.emit(x.Lparen, "makeslice", int64(at), n, size(2), int64(cells(u.Elem())))
	case *types.Map:
		f.emit(x.Lparen, "makemap", int64(at), f.p.typeID(t))
	case *types.Chan:
		f.emit(x.Lparen, "makechan", int64(at), size(1), int64(cells(u.Elem())), f.p.typeID(t), f.label(x))
	}
}

func (f *fn) appendTo(x *ast.CallExpr, at int) {
	s := f.under(x.Args[0])
	sl, ok := s.(*types.Slice)
	if !ok {
		f.p.refuse(x.Pos(), "append to this type")
		return
	}
	v := f.tmp(3)
	f.exprTo(x.Args[0], v)
	more := f.tmp(3)
	if x.Ellipsis.IsValid() {
		if kind(f.typ(x.Args[1])) == "s" {
			f.emit(x.Lparen, "strtobytes", int64(more), int64(f.expr(x.Args[1])))
		} else {
			f.exprTo(x.Args[1], more)
		}
	} else {
		n := cells(sl.Elem())
		vals := f.tmp(n * (len(x.Args) - 1))
		for i, a := range x.Args[1:] {
			f.exprAs(a, sl.Elem(), vals+i*n)
		}
		f.uses(text(x.Args[0]), f.emit(x.Lparen, "appendv", int64(at), int64(v), int64(vals), f.p.typeID(sl.Elem()), int64(len(x.Args)-1)))
		return
	}
	f.uses(text(x.Args[0]), f.emit(x.Lparen, "append", int64(at), int64(v), int64(more), f.p.typeID(sl.Elem())))
}

// printed is print and println, which write to stderr.
func (f *fn) printed(name string, x *ast.CallExpr) {
	vals := make([]int, len(x.Args)) // all are evaluated before the first is printed
	for i, a := range x.Args {
		vals[i] = f.expr(a)
	}
	for i, a := range x.Args {
		if name == "println" && i > 0 {
			f.emit(x.Lparen, "prints", f.p.str(" "))
		}
		if t := f.typ(a); types.IsInterface(t) {
			f.emit(x.Lparen, "printi", int64(vals[i]))
		} else {
			f.emit(x.Lparen, "print", int64(vals[i]), kindOf(t))
		}
	}
	if name == "println" {
		f.emit(x.Lparen, "prints", f.p.str("\n"))
	}
}

func (f *fn) extreme(name string, x *ast.CallExpr, t types.Type, at int) {
	f.exprTo(x.Args[0], at)
	op := token.LSS
	if name == "max" {
		op = token.GTR
	}
	for _, a := range x.Args[1:] {
		n := cells(t)
		v, c := f.tmp(n), f.tmp(1)
		f.exprTo(a, v)
		f.arithmetic(op, t, c, v, at, x.Pos())
		j := f.emit(x.Pos(), "jz", int64(c), 0)
		f.mov(x.Pos(), at, v, n)
		f.to([]int{j}, f.here())
	}
}
