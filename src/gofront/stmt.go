package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (f *fn) stmts(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s, "")
	}
}

// block lowers statements whose variables end with it.
func (f *fn) block(list []ast.Stmt) {
	mark := f.used
	f.stmts(list)
	f.used = mark
}

// stmt lowers one statement. Its temporaries end with it, its declarations do not. label: of the statement, "" if it has none.
func (f *fn) stmt(s ast.Stmt, label string) {
	mark := f.used
	switch x := s.(type) {
	case *ast.DeclStmt:
		f.declaration(x.Decl.(*ast.GenDecl))
		return
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE {
			f.define(x)
			return
		}
		f.assign(x)
	case *ast.ExprStmt:
		f.expr(x.X)
	case *ast.SendStmt:
		f.send(x)
	case *ast.IncDecStmt:
		f.incDec(x)
	case *ast.GoStmt:
		f.goOrDefer("go", x.Call)
	case *ast.DeferStmt:
		f.goOrDefer("defer", x.Call)
	case *ast.ReturnStmt:
		f.ret(x)
	case *ast.BranchStmt:
		f.branch(x)
	case *ast.BlockStmt:
		f.block(x.List)
	case *ast.IfStmt:
		f.ifStmt(x)
	case *ast.ForStmt:
		f.forStmt(x, label)
	case *ast.RangeStmt:
		f.rangeStmt(x, label)
	case *ast.SwitchStmt:
		f.switchStmt(x, label)
	case *ast.TypeSwitchStmt:
		f.typeSwitch(x, label)
	case *ast.SelectStmt:
		f.selectStmt(x, label)
	case *ast.LabeledStmt:
		f.labels[x.Label.Name] = f.here()
		f.stmt(x.Stmt, x.Label.Name)
		return
	case *ast.EmptyStmt:
	default:
		f.p.refuse(s.Pos(), "this statement")
	}
	f.used = mark
}

func (f *fn) declaration(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		if len(v.Values) == 0 {
			for _, id := range v.Names {
				if id.Name != "_" {
					f.declare(f.info.Defs[id], id.Pos(), true)
				}
			}
			continue
		}
		lhs := make([]ast.Expr, len(v.Names))
		for i, id := range v.Names {
			lhs[i] = id
		}
		f.bind(lhs, v.Values, v.Pos())
	}
}

func (f *fn) define(x *ast.AssignStmt) { f.bind(x.Lhs, x.Rhs, x.TokPos) }

// bind declares variables and gives them values; some names of a := may be declared already.
func (f *fn) bind(lhs, rhs []ast.Expr, pos token.Pos) {
	declared := func(e ast.Expr) types.Object {
		id := e.(*ast.Ident)
		if id.Name == "_" {
			return nil
		}
		return f.info.Defs[id]
	}
	if len(lhs) == 1 && len(rhs) == 1 { // the common case, without a copy
		o := declared(lhs[0])
		if o != nil && !f.use.boxed(o) {
			at := f.tmp(cells(f.sub(o.Type())))
			mark := f.used
			f.exprAs(rhs[0], f.sub(o.Type()), at)
			f.used = mark
			f.put(o, place{inFrame, at})
			return
		}
	}
	// cells of all new variables first, so that the temporaries behind them can be given back
	at := make([]int, len(lhs))
	for i, e := range lhs {
		if o := declared(e); o != nil {
			if f.use.boxed(o) {
				at[i] = f.tmp(1)
			} else {
				at[i] = f.tmp(cells(f.sub(o.Type())))
			}
		}
	}
	mark := f.used
	vals, ts := f.values(lhs, rhs)
	for i, e := range lhs {
		o := declared(e)
		if o == nil {
			l := f.lvalue(e)
			if l.kind != lBlank {
				f.store(l, f.convert(vals[i], ts[i], l.t, pos), pos)
			}
			continue
		}
		t := f.sub(o.Type())
		v := f.convert(vals[i], ts[i], t, pos)
		if f.use.boxed(o) {
			f.emit(e.Pos(), "new", int64(at[i]), int64(max(cells(t), 1)), f.p.str(o.Name()))
			f.emit(e.Pos(), "init", int64(at[i]), int64(v), int64(cells(t)))
			f.put(o, place{inBox, at[i]})
		} else {
			f.mov(e.Pos(), at[i], v, cells(t))
			f.put(o, place{inFrame, at[i]})
		}
	}
	f.used = mark
}

// values evaluates the right side of an assignment: as many values as there are on the left, all before anything is assigned.
func (f *fn) values(lhs, rhs []ast.Expr) ([]int, []types.Type) {
	var at []int
	var ts []types.Type
	if len(lhs) == len(rhs) {
		f.hoist(rhs...)
		for i, e := range rhs {
			t := f.typ(e)
			if f.info.Types[e].IsNil() {
				t = f.lhsType(lhs[i], t)
			}
			v := f.tmp(cells(t))
			if f.info.Types[e].IsNil() {
				f.zero(e.Pos(), v, cells(t))
			} else {
				f.exprTo(e, v)
			}
			at, ts = append(at, v), append(ts, t)
		}
		return at, ts
	}
	switch x := unparen(rhs[0]).(type) {
	case *ast.CallExpr:
		v := f.call(x)
		t := f.typ(x).(*types.Tuple)
		for i := 0; i < t.Len(); i++ {
			at, ts = append(at, v), append(ts, t.At(i).Type())
			v += cells(t.At(i).Type())
		}
		return at, ts
	case *ast.TypeAssertExpr:
		t := f.sub(f.info.TypeOf(x.Type))
		v := f.tmp(cells(t) + 1)
		f.assert(x, v, v+cells(t))
		return []int{v, v + cells(t)}, []types.Type{t, types.Typ[types.Bool]}
	case *ast.UnaryExpr: // v, ok := <-c
		t := f.under(x.X).(*types.Chan).Elem()
		v := f.tmp(cells(t) + 1)
		f.receive(x, v, v+cells(t))
		return []int{v, v + cells(t)}, []types.Type{t, types.Typ[types.Bool]}
	case *ast.IndexExpr: // v, ok := m[k]
		l := f.element(x)
		n := cells(l.t)
		v := f.tmp(n + 1)
		f.uses(text(x), f.emit(x.Lbrack, "mapgetok", int64(v), int64(l.at), int64(l.index), f.p.typeID(l.key)))
		return []int{v, v + n}, []types.Type{l.t, types.Typ[types.Bool]}
	}
	f.p.refuse(rhs[0].Pos(), "this assignment")
	for range lhs {
		at, ts = append(at, f.tmp(1)), append(ts, types.Typ[types.Int])
	}
	return at, ts
}

func (f *fn) lhsType(e ast.Expr, or types.Type) types.Type {
	if t := f.info.TypeOf(e); t != nil {
		return f.sub(t)
	}
	return or
}

func (f *fn) assign(x *ast.AssignStmt) {
	f.hoistAssignment(x)
	if x.Tok != token.ASSIGN { // x op= y
		l := f.lvalue(x.Lhs[0])
		t := l.t
		op := x.Tok - (token.ADD_ASSIGN - token.ADD)
		v := f.tmp(cells(t))
		f.mov(x.TokPos, v, f.load(l, x.TokPos), cells(t))
		if op == token.SHL || op == token.SHR {
			f.emit(x.TokPos, binaries[op], int64(v), int64(v), int64(f.expr(x.Rhs[0])), kindOf(t), kindOf(f.typ(x.Rhs[0])))
		} else {
			f.arithmetic(op, t, v, v, f.expr(x.Rhs[0]), x.TokPos)
		}
		f.store(l, v, x.TokPos)
		return
	}
	if len(x.Lhs) == 1 && len(x.Rhs) == 1 {
		l := f.lvalue(x.Lhs[0])
		t := l.t
		if l.kind == lBlank {
			f.expr(x.Rhs[0])
			return
		}
		if l.kind == lFrame { // the value may use the variable while it is made
			v := f.tmp(cells(t))
			f.exprAs(x.Rhs[0], t, v)
			f.mov(x.TokPos, l.at, v, cells(t))
			return
		}
		v := f.tmp(cells(t))
		f.exprAs(x.Rhs[0], t, v)
		f.store(l, v, x.TokPos)
		return
	}
	ls := make([]lvalue, len(x.Lhs))
	for i, e := range x.Lhs { // operands of the left side first
		ls[i] = f.lvalue(e)
		if ls[i].kind == lMem && !ls[i].variable {
			ls[i].at = f.kept(ls[i].at, x.TokPos)
		}
		if ls[i].kind == lMap || ls[i].kind == lElem {
			ls[i].index = f.keptN(ls[i].index, ls[i], x.TokPos)
		}
	}
	vals, ts := f.values(x.Lhs, x.Rhs)
	for i, l := range ls {
		if l.kind != lBlank {
			f.store(l, f.convert(vals[i], ts[i], l.t, x.TokPos), x.TokPos)
		}
	}
}

func (f *fn) kept(at int, pos token.Pos) int {
	v := f.tmp(1)
	f.mov(pos, v, at, 1)
	return v
}

func (f *fn) keptN(at int, l lvalue, pos token.Pos) int {
	n := 1
	if l.kind == lMap {
		n = cells(l.key.Underlying().(*types.Map).Key())
	}
	v := f.tmp(n)
	f.mov(pos, v, at, n)
	return v
}

func (f *fn) incDec(x *ast.IncDecStmt) {
	l := f.lvalue(x.X)
	v, one := f.tmp(1), f.tmp(1)
	f.mov(x.TokPos, v, f.load(l, x.TokPos), 1)
	op := token.ADD
	if x.Tok == token.DEC {
		op = token.SUB
	}
	if k := kind(l.t); k == "f64" || k == "f32" {
		f.emit(x.TokPos, "const", int64(one), 0x3ff0000000000000)
	} else {
		f.emit(x.TokPos, "const", int64(one), 1)
	}
	f.arithmetic(op, l.t, v, v, one, x.TokPos)
	f.store(l, v, x.TokPos)
}

func (f *fn) send(x *ast.SendStmt) {
	c := f.tmp(1)
	f.exprTo(x.Chan, c)
	t := f.under(x.Chan).(*types.Chan).Elem()
	v := f.tmp(cells(t))
	f.exprAs(x.Value, t, v)
	f.emit(x.Arrow, "send", int64(c), int64(v), int64(cells(t)))
}

// goOrDefer: a builtin or a conversion becomes a closure without parameters.
func (f *fn) goOrDefer(how string, x *ast.CallExpr) {
	tv := f.info.Types[x.Fun]
	if !tv.IsBuiltin() && !tv.IsType() {
		f.started(how, x)
		return
	}
	w := f.p.newFn(f.name+"."+how+"wrap", x.Pos())
	w.info, w.subst, w.use = f.info, f.subst, f.use
	w.ctx = 0
	w.begin(types.NewSignatureType(nil, nil, nil, nil, nil, false), nil, x.Pos())
	// the arguments are evaluated now
	var args []ast.Expr
	caps := f.used
	n := 0
	for _, a := range x.Args {
		if f.info.Types[a].Value != nil || f.info.Types[a].IsType() || f.info.Types[a].IsNil() {
			args = append(args, a)
			continue
		}
		t := f.typ(a)
		at := f.tmp(cells(t))
		f.exprTo(a, at)
		args = append(args, f.valueAt(w, place{byValue, 1 + n}, t, a.Pos()))
		n += cells(t)
	}
	call := *x
	call.Args = args
	f.info.Types[&call] = f.info.Types[x]
	w.builtin(&call)
	w.emit(x.Pos(), "ret")
	// what the arguments' temporaries cover is not used any more: their values were copied
	c := f.tmp(1)
	f.emit(x.Pos(), "closure", int64(c), int64(w.number), int64(n), int64(caps))
	f.invoke(how, callee{closure: c, sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}, f.tmp(1), x.Pos())
}

func (f *fn) ret(x *ast.ReturnStmt) {
	results := f.root().resTypes
	var vals []int
	var ts []types.Type
	if len(x.Results) == len(results) {
		f.hoist(x.Results...)
		for i, e := range x.Results {
			v := f.tmp(cells(results[i]))
			f.exprAs(e, results[i], v)
			vals, ts = append(vals, v), append(ts, results[i])
		}
	} else if len(x.Results) == 1 {
		v := f.call(unparen(x.Results[0]).(*ast.CallExpr))
		t := f.typ(x.Results[0]).(*types.Tuple)
		for i := 0; i < t.Len(); i++ {
			vals, ts = append(vals, v), append(ts, t.At(i).Type())
			v += cells(t.At(i).Type())
		}
	}
	f.giveBack(vals, ts, x.Pos())
}

// giveBack returns the values; none: what the named results are.
func (f *fn) giveBack(vals []int, ts []types.Type, pos token.Pos) {
	if f.rangeOf != nil {
		f.returns(vals, ts, pos)
		return
	}
	at := 0
	for i := range vals {
		t := f.resTypes[i]
		v := f.convert(vals[i], ts[i], t, pos)
		if i < len(f.results) && f.places[f.results[i]].kind == inBox {
			f.uses(f.results[i].Name(), f.emit(pos, "store", int64(f.places[f.results[i]].at), int64(v), int64(cells(t)), 0))
		} else {
			f.mov(pos, at, v, cells(t))
		}
		at += cells(t)
	}
	f.leave(pos)
}

func (f *fn) branch(x *ast.BranchStmt) {
	if x.Tok == token.GOTO && f.rangeOf != nil && !f.labelsOf[x.Label.Name] {
		f.leaveBody(x)
		return
	}
	if x.Tok == token.GOTO {
		j := f.emit(x.Pos(), "back", 0)
		f.gotos[x.Label.Name] = append(f.gotos[x.Label.Name], j)
		return
	}
	if x.Tok == token.FALLTHROUGH {
		l := f.loops[len(f.loops)-1]
		l.nexts = append(l.nexts, f.emit(x.Pos(), "jmp", 0))
		return
	}
	for i := len(f.loops) - 1; i >= 0; i-- {
		l := f.loops[i]
		if x.Label != nil && l.label != x.Label.Name || x.Label == nil && x.Tok == token.CONTINUE && !l.isLoop {
			continue
		}
		if x.Tok == token.BREAK {
			l.breaks = append(l.breaks, f.emit(x.Pos(), "jmp", 0))
		} else {
			l.nexts = append(l.nexts, f.emit(x.Pos(), "jmp", 0))
		}
		return
	}
	f.leaveBody(x)
}

func (f *fn) ifStmt(x *ast.IfStmt) {
	if x.Init != nil {
		f.stmt(x.Init, "")
	}
	mark := f.used
	j := f.emit(x.If, "jz", int64(f.expr(x.Cond)), 0)
	f.used = mark
	f.block(x.Body.List)
	if x.Else == nil {
		f.to([]int{j}, f.here())
		return
	}
	end := f.emit(x.Body.Rbrace, "jmp", 0)
	f.to([]int{j}, f.here())
	f.stmt(x.Else, "")
	f.to([]int{end}, f.here())
}

func (f *fn) push(label string, isLoop bool) *loop {
	l := &loop{label: label, isLoop: isLoop}
	f.loops = append(f.loops, l)
	return l
}

func (f *fn) pop() { f.loops = f.loops[:len(f.loops)-1] }

func (f *fn) forStmt(x *ast.ForStmt, label string) {
	var vars []types.Object
	if x.Init != nil {
		f.stmt(x.Init, "")
		if a, ok := x.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && f.p.perIter {
			for _, e := range a.Lhs {
				if o := f.info.Defs[e.(*ast.Ident)]; o != nil && f.use.boxed(o) {
					vars = append(vars, o)
				}
			}
		}
	}
	l := f.push(label, true)
	top := f.here()
	exit := -1
	mark := f.used
	if x.Cond != nil {
		exit = f.emit(x.Cond.Pos(), "jz", int64(f.expr(x.Cond)), 0)
		f.used = mark
	}
	f.block(x.Body.List)
	f.to(l.nexts, f.here())
	for _, o := range vars { // each iteration has a variable of its own
		n := cells(f.sub(o.Type()))
		v := f.tmp(n)
		at := f.places[o].at
		f.uses(o.Name(), f.emit(x.For, "load", int64(v), int64(at), int64(n), 0))
		f.emit(x.For, "new", int64(at), int64(max(n, 1)), f.p.str(o.Name()))
		f.emit(x.For, "init", int64(at), int64(v), int64(n))
		f.used = mark
	}
	if x.Post != nil {
		f.stmt(x.Post, "")
	}
	f.emit(x.For, "back", int64(top))
	if exit >= 0 {
		f.to([]int{exit}, f.here())
	}
	f.to(l.breaks, f.here())
	f.pop()
}

// iterate gives the variables of a range their values, before each run of the body.
func (f *fn) iterate(x *ast.RangeStmt, e ast.Expr, v int, t types.Type) {
	if e == nil {
		return
	}
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	if x.Tok == token.DEFINE {
		o := f.info.Defs[e.(*ast.Ident)]
		n := cells(f.sub(o.Type()))
		if f.use.boxed(o) {
			at := f.places[o].at
			if f.p.perIter {
				f.emit(e.Pos(), "new", int64(at), int64(max(n, 1)), f.p.str(o.Name()))
			}
			f.uses(o.Name(), f.emit(e.Pos(), "store", int64(at), int64(v), int64(n), 0))
			return
		}
		f.mov(e.Pos(), f.places[o].at, v, n)
		return
	}
	l := f.lvalue(e)
	f.store(l, f.convert(v, t, l.t, e.Pos()), e.Pos())
}

func (f *fn) rangeStmt(x *ast.RangeStmt, label string) {
	if s, ok := f.under(x.X).(*types.Signature); ok {
		f.rangeFunc(x, s, label)
		return
	}
	if x.Tok == token.DEFINE {
		for _, e := range []ast.Expr{x.Key, x.Value} {
			if e == nil || e.(*ast.Ident).Name == "_" {
				continue
			}
			o := f.info.Defs[e.(*ast.Ident)]
			f.declare(o, e.Pos(), false)
		}
	}
	switch u := f.under(x.X).(type) {
	case *types.Chan:
		f.rangeChan(x, u, label)
	case *types.Map:
		f.rangeMap(x, u, label)
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			f.rangeString(x, label)
		} else {
			f.rangeCount(x, label)
		}
	case *types.Slice, *types.Array, *types.Pointer:
		f.rangeList(x, u, label)
	default:
		f.p.refuse(x.Pos(), "range over this type")
	}
}

// counted emits a loop from 0 up to the cell n; each is called with the cell of the index.
func (f *fn) counted(x *ast.RangeStmt, n int, label string, each func(i int)) {
	i, one := f.tmp(1), f.tmp(1)
	f.emit(x.For, "const", int64(i), 0)
	f.emit(x.For, "const", int64(one), 1)
	l := f.push(label, true)
	top := f.here()
	c := f.tmp(1)
	f.emit(x.For, "lt", int64(c), int64(i), int64(n), kindNumber["i64"])
	exit := f.emit(x.For, "jz", int64(c), 0)
	mark := f.used
	each(i)
	f.used = mark
	f.block(x.Body.List)
	f.to(l.nexts, f.here())
	f.emit(x.For, "add", int64(i), int64(i), int64(one), kindNumber["i64"])
	f.emit(x.For, "back", int64(top))
	f.to([]int{exit}, f.here())
	f.to(l.breaks, f.here())
	f.pop()
}

func (f *fn) rangeCount(x *ast.RangeStmt, label string) {
	n := f.tmp(1)
	f.exprTo(x.X, n)
	f.counted(x, n, label, func(i int) { f.iterate(x, x.Key, i, f.typ(x.X)) })
}

func (f *fn) rangeList(x *ast.RangeStmt, t types.Type, label string) {
	n := f.tmp(1)
	var elem types.Type
	var get func(i, at int)
	switch u := t.(type) {
	case *types.Slice:
		elem = u.Elem()
		s := f.tmp(3)
		f.exprTo(x.X, s)
		f.mov(x.For, n, s+1, 1)
		get = func(i, at int) {
			p := f.tmp(1)
			f.emit(x.For, "sidx", int64(p), int64(s), int64(i), int64(cells(elem)))
			f.uses(text(x.X)+"[…]", f.emit(x.For, "load", int64(at), int64(p), int64(cells(elem)), 0))
		}
	case *types.Array:
		elem = u.Elem()
		f.emit(x.For, "const", int64(n), u.Len())
		a := -1
		if x.Value != nil {
			a = f.tmp(cells(t))
			f.exprTo(x.X, a)
		}
		get = func(i, at int) {
			f.emit(x.For, "fget", int64(at), int64(a), int64(i), int64(cells(elem)), u.Len())
		}
	case *types.Pointer:
		arr := u.Elem().Underlying().(*types.Array)
		elem = arr.Elem()
		p := f.tmp(1)
		f.exprTo(x.X, p)
		f.emit(x.For, "const", int64(n), arr.Len())
		get = func(i, at int) {
			q := f.tmp(1)
			f.emit(x.For, "aidx", int64(q), int64(p), int64(i), int64(cells(elem)), arr.Len())
			f.uses(text(x.X)+"[…]", f.emit(x.For, "load", int64(at), int64(q), int64(cells(elem)), 0))
		}
	}
	f.counted(x, n, label, func(i int) {
		f.iterate(x, x.Key, i, types.Typ[types.Int])
		if x.Value != nil {
			v := f.tmp(cells(elem))
			get(i, v)
			f.iterate(x, x.Value, v, elem)
		}
	})
}

// again emits a loop that an instruction ends: next(cells) emits it and returns the jump out.
func (f *fn) again(x *ast.RangeStmt, label string, next func() int) {
	l := f.push(label, true)
	top := f.here()
	mark := f.used
	exit := next()
	f.used = mark
	f.block(x.Body.List)
	f.to(l.nexts, f.here())
	f.emit(x.For, "back", int64(top))
	f.to([]int{exit}, f.here())
	f.to(l.breaks, f.here())
	f.pop()
}

func (f *fn) rangeString(x *ast.RangeStmt, label string) {
	s, i := f.tmp(2), f.tmp(1)
	f.exprTo(x.X, s)
	f.emit(x.For, "const", int64(i), 0)
	f.again(x, label, func() int { // decoderune: at, rune, ok; i moves on
		v := f.tmp(3)
		f.emit(x.For, "strnext", int64(v), int64(s), int64(i))
		exit := f.emit(x.For, "jz", int64(v+2), 0)
		f.iterate(x, x.Key, v, types.Typ[types.Int])
		f.iterate(x, x.Value, v+1, types.Typ[types.Rune])
		return exit
	})
}

func (f *fn) rangeChan(x *ast.RangeStmt, c *types.Chan, label string) {
	ch := f.tmp(1)
	f.exprTo(x.X, ch)
	f.again(x, label, func() int {
		n := cells(c.Elem())
		v := f.tmp(n + 1)
		f.emit(x.For, "recv", int64(v), int64(ch), int64(n), int64(v+n))
		exit := f.emit(x.For, "jz", int64(v+n), 0)
		f.iterate(x, x.Key, v, c.Elem())
		return exit
	})
}

func (f *fn) rangeMap(x *ast.RangeStmt, m *types.Map, label string) {
	it := f.tmp(4) // the map, and three cells of the iterator's own
	f.exprTo(x.X, it)
	f.emit(x.For, "mapiter", int64(it))
	f.again(x, label, func() int {
		k, v := cells(m.Key()), cells(m.Elem())
		at := f.tmp(k + v + 1)
		f.uses(text(x.X), f.emit(x.For, "mapnext", int64(at), int64(it), f.p.typeID(f.typ(x.X))))
		exit := f.emit(x.For, "jz", int64(at+k+v), 0)
		f.iterate(x, x.Key, at, m.Key())
		f.iterate(x, x.Value, at+k, m.Elem())
		return exit
	})
}

func (f *fn) switchStmt(x *ast.SwitchStmt, label string) {
	if x.Init != nil {
		f.stmt(x.Init, "")
	}
	var t types.Type = types.Typ[types.Bool]
	tag := -1
	if x.Tag != nil {
		t = f.typ(x.Tag)
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			t = types.Default(t)
		}
		tag = f.tmp(cells(t))
		f.exprAs(x.Tag, t, tag)
	}
	l := f.push(label, false)
	bodies := make([][]int, len(x.Body.List))
	last := -1
	for i, s := range x.Body.List {
		c := s.(*ast.CaseClause)
		if c.List == nil {
			last = i
		}
		for _, e := range c.List {
			mark := f.used
			hit := f.tmp(1)
			f.caseOf(e, t, tag, hit)
			bodies[i] = append(bodies[i], f.emit(e.Pos(), "jnz", int64(hit), 0))
			f.used = mark
		}
	}
	none := f.emit(x.Switch, "jmp", 0)
	for i, s := range x.Body.List {
		f.to(bodies[i], f.here())
		f.to(l.nexts, f.here()) // fallthrough
		l.nexts = nil
		if i == last {
			f.to([]int{none}, f.here())
		}
		f.block(s.(*ast.CaseClause).Body)
		l.breaks = append(l.breaks, f.emit(s.End(), "jmp", 0))
		// a fallthrough, the last statement, is a jump before this one
	}
	if last < 0 {
		f.to([]int{none}, f.here())
	}
	f.to(l.breaks, f.here())
	f.pop()
}

func (f *fn) caseOf(e ast.Expr, t types.Type, tag, hit int) {
	if tag < 0 {
		f.exprTo(e, hit)
		return
	}
	et := f.typ(e)
	if types.IsInterface(et) && !types.IsInterface(t) {
		v := f.tmp(2)
		f.toInterface(t, tag, v, e.Pos())
		f.equal(et, hit, v, f.expr(e), e.Pos())
		return
	}
	v := f.tmp(cells(t))
	f.exprAs(e, t, v)
	f.equal(t, hit, tag, v, e.Pos())
}

func (f *fn) typeSwitch(x *ast.TypeSwitchStmt, label string) {
	if x.Init != nil {
		f.stmt(x.Init, "")
	}
	var e ast.Expr
	switch a := x.Assign.(type) {
	case *ast.AssignStmt:
		e = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		e = a.X.(*ast.TypeAssertExpr).X
	}
	t := f.typ(e)
	v := f.tmp(2)
	f.exprTo(e, v)
	l := f.push(label, false)
	var deflt *ast.CaseClause
	clause := func(c *ast.CaseClause, hits []int, at int, ct types.Type) {
		f.to(hits, f.here())
		mark := f.used
		if o := f.info.Implicits[c]; o != nil {
			n := cells(ct)
			if f.use.boxed(o) {
				box := f.tmp(1)
				f.emit(c.Pos(), "new", int64(box), int64(max(n, 1)), f.p.str(o.Name()))
				f.emit(c.Pos(), "init", int64(box), int64(at), int64(n))
				f.put(o, place{inBox, box})
			} else {
				f.put(o, place{inFrame, at})
			}
		}
		f.stmts(c.Body)
		f.used = mark
		l.breaks = append(l.breaks, f.emit(c.End(), "jmp", 0))
	}
	for _, s := range x.Body.List {
		c := s.(*ast.CaseClause)
		if c.List == nil {
			deflt = c
			continue
		}
		mark := f.used
		single := len(c.List) == 1 && !f.info.Types[c.List[0]].IsNil()
		at, ct := v, t
		var hits []int
		for _, te := range c.List {
			hit := f.tmp(1)
			if f.info.Types[te].IsNil() {
				zero := f.tmp(1)
				f.emit(te.Pos(), "const", int64(zero), 0)
				f.emit(te.Pos(), "eq", int64(hit), int64(v), int64(zero), kindNumber["p"])
			} else {
				tt := f.sub(f.info.TypeOf(te))
				val := f.tmp(cells(tt))
				f.assertTo(v, t, tt, val, hit, te.Pos())
				if single {
					at, ct = val, tt
				}
			}
			hits = append(hits, f.emit(te.Pos(), "jnz", int64(hit), 0))
		}
		skip := f.emit(c.Pos(), "jmp", 0)
		clause(c, hits, at, ct)
		f.to([]int{skip}, f.here())
		f.used = mark
	}
	if deflt != nil {
		clause(deflt, nil, v, t)
	}
	f.to(l.breaks, f.here())
	f.pop()
}

// selectStmt: the cases lie behind each other, four cells each: channel, 1 for a send, the cell of the value, its cells. select sets the cell `which`
// to the number of the case, or -1, and `ok`.
func (f *fn) selectStmt(x *ast.SelectStmt, label string) {
	type arm struct {
		c       *ast.CommClause
		recv    *ast.UnaryExpr
		v, n    int
		t       types.Type
		lhs     []ast.Expr
		defines bool
	}
	var arms []arm
	var deflt *ast.CommClause
	for _, s := range x.Body.List {
		c := s.(*ast.CommClause)
		switch m := c.Comm.(type) {
		case nil:
			deflt = c
		case *ast.SendStmt:
			arms = append(arms, arm{c: c})
		case *ast.ExprStmt:
			arms = append(arms, arm{c: c, recv: unparen(m.X).(*ast.UnaryExpr)})
		case *ast.AssignStmt:
			arms = append(arms, arm{c: c, recv: unparen(m.Rhs[0]).(*ast.UnaryExpr), lhs: m.Lhs, defines: m.Tok == token.DEFINE})
		}
	}
	cases := f.tmp(4 * len(arms))
	for i := range arms {
		a := &arms[i]
		at := cases + 4*i
		if a.recv == nil {
			s := a.c.Comm.(*ast.SendStmt)
			a.t = f.under(s.Chan).(*types.Chan).Elem()
			a.n = cells(a.t)
			f.exprTo(s.Chan, at)
			a.v = f.tmp(a.n)
			f.exprAs(s.Value, a.t, a.v)
			f.emit(s.Arrow, "const", int64(at+1), 1)
		} else {
			a.t = f.under(a.recv.X).(*types.Chan).Elem()
			a.n = cells(a.t)
			f.exprTo(a.recv.X, at)
			a.v = f.tmp(a.n)
			f.emit(a.recv.OpPos, "const", int64(at+1), 0)
		}
		f.emit(a.c.Pos(), "const", int64(at+2), int64(a.v))
		f.emit(a.c.Pos(), "const", int64(at+3), int64(a.n))
	}
	which := f.tmp(2)
	block := int64(1)
	if deflt != nil {
		block = 0
	}
	at := x.Select
	if len(arms) == 1 && deflt == nil { // Go makes it a plain operation
		at = arms[0].c.Comm.Pos()
	}
	f.emit(at, "select", int64(which), int64(cases), int64(len(arms)), block)
	l := f.push(label, false)
	num, hit := f.tmp(1), f.tmp(1)
	for i := range arms {
		a := &arms[i]
		mark := f.used
		f.emit(a.c.Pos(), "const", int64(num), int64(i))
		f.emit(a.c.Pos(), "eq", int64(hit), int64(which), int64(num), kindNumber["i64"])
		skip := f.emit(a.c.Pos(), "jz", int64(hit), 0)
		vals, ts := []int{a.v, which + 1}, []types.Type{a.t, types.Typ[types.Bool]}
		for k, e := range a.lhs {
			id, isID := e.(*ast.Ident)
			if isID && id.Name == "_" {
				continue
			}
			if o := f.defined(id, isID && a.defines); o != nil {
				f.declare(o, e.Pos(), false)
				q := f.places[o]
				if q.kind == inBox {
					f.emit(e.Pos(), "store", int64(q.at), int64(vals[k]), int64(cells(ts[k])), 0)
				} else {
					f.mov(e.Pos(), q.at, vals[k], cells(ts[k]))
				}
				continue
			}
			lv := f.lvalue(e)
			f.store(lv, f.convert(vals[k], ts[k], lv.t, e.Pos()), e.Pos())
		}
		f.stmts(a.c.Body)
		f.used = mark
		l.breaks = append(l.breaks, f.emit(a.c.End(), "jmp", 0))
		f.to([]int{skip}, f.here())
	}
	if deflt != nil {
		f.block(deflt.Body)
	}
	f.to(l.breaks, f.here())
	f.pop()
}

func (f *fn) defined(id *ast.Ident, defines bool) types.Object {
	if !defines {
		return nil
	}
	return f.info.Defs[id]
}
