package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// lvalue is what can be assigned to.
type lvalue struct {
	kind     lkind
	at       int // lFrame: the cell. lMem: the cell that has the address. lMap: the cell of the map. lElem: the array's first cell
	off      int // lMem: cells behind the address
	index    int // lElem: the cell of the index; lMap: the key's
	t        types.Type
	key      types.Type
	count    int // lElem: the array's length
	variable bool
	name     string // as it is written
}
type lkind int

const (
	lBlank lkind = iota
	lFrame
	lMem
	lMap
	lElem // an element of an array in the frame, at an index that is computed
)

func (f *fn) variable(o types.Object, pos token.Pos) lvalue {
	t := f.sub(o.Type())
	q, ok := f.places[o]
	if !ok {
		if v, isVar := o.(*types.Var); isVar && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			at := f.tmp(1)
			f.emit(pos, "global", int64(at), f.p.global(o))
			return lvalue{kind: lMem, at: at, t: t, name: o.Name()}
		}
		f.p.refuse(pos, "the variable %s cannot be reached here", o.Name())
		return lvalue{kind: lFrame, at: f.tmp(max(cells(t), 1)), t: t}
	}
	switch q.kind {
	case inFrame:
		return lvalue{kind: lFrame, at: q.at, t: t}
	case inBox:
		return lvalue{kind: lMem, at: q.at, t: t, variable: true, name: o.Name()}
	case byValue:
		at := f.tmp(cells(t))
		f.emit(pos, "load", int64(at), int64(f.ctx), int64(cells(t)), int64(q.at))
		return lvalue{kind: lFrame, at: at, t: t}
	}
	at := f.tmp(1)
	f.emit(pos, "load", int64(at), int64(f.ctx), 1, int64(q.at))
	return lvalue{kind: lMem, at: at, t: t, variable: true, name: o.Name()}
}

// lvalue evaluates the operands of what is assigned to, or whose address is taken.
func (f *fn) lvalue(e ast.Expr) lvalue {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return f.lvalue(x.X)
	case *ast.Ident:
		if x.Name == "_" {
			return lvalue{kind: lBlank, t: f.typ(e)}
		}
		return f.variable(f.info.ObjectOf(x), x.Pos())
	case *ast.StarExpr:
		return lvalue{kind: lMem, at: f.expr(x.X), t: f.typ(e), name: text(e)}
	case *ast.SelectorExpr:
		s := f.info.Selections[x]
		if s == nil { // package.Variable
			return f.variable(f.info.ObjectOf(x.Sel), x.Pos())
		}
		return named(f.field(f.operand(x.X), f.typ(x.X), s.Index(), x.Sel.Pos()), e)
	case *ast.IndexExpr:
		return named(f.element(x), e)
	}
	at := f.expr(e) // not addressable: a value
	return lvalue{kind: lFrame, at: at, t: f.typ(e)}
}

func named(l lvalue, e ast.Expr) lvalue {
	l.name = text(e)
	return l
}

// operand is an lvalue if e can be one, so that a field of a large struct is not copied with the whole.
func (f *fn) operand(e ast.Expr) lvalue {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return f.operand(x.X)
	case *ast.Ident:
		if _, ok := f.info.ObjectOf(x).(*types.Var); ok {
			return f.lvalue(e)
		}
	case *ast.StarExpr:
		return f.lvalue(e)
	case *ast.SelectorExpr:
		if s := f.info.Selections[x]; s == nil {
			if _, ok := f.info.ObjectOf(x.Sel).(*types.Var); ok {
				return f.lvalue(e)
			}
		} else if s.Kind() == types.FieldVal {
			return f.lvalue(e)
		}
	case *ast.IndexExpr:
		switch f.under(x.X).(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			return f.lvalue(e)
		}
	}
	return lvalue{kind: lFrame, at: f.expr(e), t: f.typ(e)}
}

// field follows a path of fields; embedded pointers on it are followed.
func (f *fn) field(l lvalue, t types.Type, path []int, pos token.Pos) lvalue {
	for _, i := range path {
		if q, ok := t.Underlying().(*types.Pointer); ok {
			l = lvalue{kind: lMem, at: f.load(l, pos), name: l.name}
			t = q.Elem()
		}
		s := t.Underlying().(*types.Struct)
		off := fieldOffset(s, i)
		t = s.Field(i).Type()
		switch l.kind {
		case lFrame:
			l.at += off
		case lMem:
			l.off += off
		default:
			l = lvalue{kind: lFrame, at: f.load(l, pos) + off}
		}
		l.t = t
	}
	return l
}

// element is a[i] of an array, a slice, a pointer to an array, a map.
func (f *fn) element(x *ast.IndexExpr) lvalue {
	t := f.typ(x)
	switch u := f.under(x.X).(type) {
	case *types.Map:
		m := f.expr(x.X)
		k := f.tmp(cells(u.Key()))
		f.exprAs(x.Index, u.Key(), k)
		return lvalue{kind: lMap, at: m, index: k, t: u.Elem(), key: f.typ(x.X)}
	case *types.Slice:
		s := f.expr(x.X)
		i := f.expr(x.Index)
		at := f.tmp(1)
		f.emit(x.Lbrack, "sidx", int64(at), int64(s), int64(i), int64(cells(u.Elem())))
		return lvalue{kind: lMem, at: at, t: t}
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		return f.arrayElement(lvalue{kind: lMem, at: f.expr(x.X), t: u.Elem()}, a, x)
	case *types.Array:
		return f.arrayElement(f.operand(x.X), u, x)
	}
	f.p.refuse(x.Pos(), "an index of this type")
	return lvalue{kind: lBlank, t: t}
}

func (f *fn) arrayElement(l lvalue, a *types.Array, x *ast.IndexExpr) lvalue {
	n := cells(a.Elem())
	if v := f.info.Types[x.Index].Value; v != nil {
		if i, ok := constant.Int64Val(constant.ToInt(v)); ok && (l.kind == lFrame || l.kind == lMem) {
			if l.kind == lFrame {
				l.at += int(i) * n
			} else {
				l.off += int(i) * n
			}
			l.t = a.Elem()
			return l
		}
	}
	i := f.expr(x.Index)
	if l.kind == lMem {
		at := f.tmp(1)
		f.emit(x.Lbrack, "lea", int64(at), int64(l.at), int64(l.off))
		f.emit(x.Lbrack, "aidx", int64(at), int64(at), int64(i), int64(n), a.Len())
		return lvalue{kind: lMem, at: at, t: a.Elem()}
	}
	if l.kind != lFrame {
		l = lvalue{kind: lFrame, at: f.load(l, x.Pos())}
	}
	return lvalue{kind: lElem, at: l.at, index: i, t: a.Elem(), count: int(a.Len())}
}

// load returns the cell where the value is.
func (f *fn) load(l lvalue, pos token.Pos) int {
	n := cells(l.t)
	if l.kind == lFrame {
		return l.at
	}
	at := f.tmp(n)
	f.loadTo(l, at, pos)
	return at
}

func (f *fn) loadTo(l lvalue, at int, pos token.Pos) {
	n := int64(cells(l.t))
	switch l.kind {
	case lFrame:
		f.mov(pos, at, l.at, int(n))
	case lMem:
		f.uses(l.name, f.emit(pos, "load", int64(at), int64(l.at), n, int64(l.off)))
	case lMap:
		f.uses(l.name, f.emit(pos, "mapget", int64(at), int64(l.at), int64(l.index), f.p.typeID(l.key)))
	case lElem:
		f.emit(pos, "fget", int64(at), int64(l.at), int64(l.index), n, int64(l.count))
	case lBlank:
		f.zero(pos, at, int(n))
	}
}

func (f *fn) store(l lvalue, from int, pos token.Pos) {
	n := int64(cells(l.t))
	switch l.kind {
	case lFrame:
		f.mov(pos, l.at, from, int(n))
	case lMem:
		f.uses(l.name, f.emit(pos, "store", int64(l.at), int64(from), n, int64(l.off)))
	case lMap:
		f.uses(l.name, f.emit(pos, "mapset", int64(l.at), int64(l.index), int64(from), f.p.typeID(l.key)))
	case lElem:
		f.emit(pos, "fput", int64(l.at), int64(from), int64(l.index), n, int64(l.count))
	}
}

// address returns the cell that has the address of an lvalue in memory.
func (f *fn) address(l lvalue, pos token.Pos) int {
	if l.kind != lMem {
		f.p.refuse(pos, "the address of this")
		return f.tmp(1)
	}
	at := f.tmp(1)
	f.emit(pos, "lea", int64(at), int64(l.at), int64(l.off))
	return at
}

// ---- values ----

func (f *fn) constant(v constant.Value, t types.Type, at int, pos token.Pos) {
	if i, ok := t.Underlying().(*types.Interface); ok && i != nil { // a constant in an interface has its default type
		d := types.Typ[types.Int]
		switch v.Kind() {
		case constant.Bool:
			d = types.Typ[types.Bool]
		case constant.String:
			d = types.Typ[types.String]
		case constant.Float:
			d = types.Typ[types.Float64]
		}
		c := f.tmp(cells(d))
		f.constant(v, d, c, pos)
		f.emit(pos, "iface", int64(at), f.p.typeID(d), int64(c))
		return
	}
	var bits int64
	switch k := kind(t); k {
	case "b":
		if constant.BoolVal(v) {
			bits = 1
		}
	case "s":
		f.emit(pos, "str", int64(at), f.p.str(constant.StringVal(v)))
		return
	case "f64":
		d, _ := constant.Float64Val(constant.ToFloat(v))
		bits = int64(math.Float64bits(d))
	case "f32":
		d, _ := constant.Float32Val(constant.ToFloat(v))
		bits = int64(math.Float64bits(float64(d)))
	default:
		i := constant.ToInt(v)
		if n, ok := constant.Int64Val(i); ok {
			bits = n
		} else if n, ok := constant.Uint64Val(i); ok {
			bits = int64(n)
		} else {
			f.p.refuse(pos, "the constant %s", v)
		}
	}
	f.emit(pos, "const", int64(at), bits)
}

// exprAs evaluates e as a value of type t, with the conversion of an assignment, into the cells at `at`.
func (f *fn) exprAs(e ast.Expr, t types.Type, at int) {
	from := f.typ(e)
	if tv := f.info.Types[e]; tv.IsNil() {
		f.zero(e.Pos(), at, cells(t))
		return
	}
	if types.IsInterface(t) && !types.IsInterface(from) {
		v := f.expr(e)
		f.toInterface(from, v, at, e.Pos())
		return
	}
	f.exprTo(e, at)
}

func (f *fn) toInterface(from types.Type, v, at int, pos token.Pos) {
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		f.zero(pos, at, 2)
		return
	}
	f.emit(pos, "iface", int64(at), f.p.typeID(from), int64(v))
}

// convert is the conversion of an assignment, for a value that is already there.
func (f *fn) convert(v int, from, to types.Type, pos token.Pos) int {
	if types.IsInterface(to) && !types.IsInterface(from) {
		at := f.tmp(2)
		f.toInterface(from, v, at, pos)
		return at
	}
	return v
}

// expr returns the cell where the value of e is: that of a variable itself, or one that the statement has taken.
func (f *fn) expr(e ast.Expr) int {
	if at, ok := f.hoisted[e]; ok {
		return at
	}
	if tv := f.info.Types[e]; tv.Value == nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			return f.expr(x.X)
		case *ast.Ident:
			if o, ok := f.info.ObjectOf(x).(*types.Var); ok {
				return f.load(f.variable(o, x.Pos()), x.Pos())
			}
		case *ast.SelectorExpr:
			if s := f.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
				return f.load(f.lvalue(x), x.Sel.Pos())
			}
		case *ast.CallExpr:
			return f.call(x)
		case *ast.TypeAssertExpr:
			at := f.tmp(cells(f.typ(x)))
			f.assert(x, at, -1)
			return at
		}
	}
	at := f.tmp(cells(f.typ(e)))
	f.exprTo(e, at)
	return at
}

// exprTo evaluates e into the cells at `at`.
func (f *fn) exprTo(e ast.Expr, at int) {
	t := f.typ(e)
	if from, ok := f.hoisted[e]; ok {
		f.mov(e.Pos(), at, from, cells(t))
		return
	}
	if tv := f.info.Types[e]; tv.Value != nil {
		f.constant(tv.Value, t, at, e.Pos())
		return
	} else if tv.IsNil() {
		f.zero(e.Pos(), at, cells(t))
		return
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		f.exprTo(x.X, at)
	case *ast.BinaryExpr:
		f.binary(x, at)
	case *ast.UnaryExpr:
		f.unary(x, at)
	case *ast.FuncLit:
		f.literal(x, at)
	case *ast.CompositeLit:
		f.composite(x, t, at)
	case *ast.IndexExpr:
		f.index(x, at)
	case *ast.IndexListExpr:
		f.function(e, at)
	case *ast.SliceExpr:
		f.slice(x, at)
	case *ast.StarExpr:
		f.loadTo(f.lvalue(x), at, x.Pos())
	case *ast.Ident, *ast.SelectorExpr:
		f.named(e, at)
	default:
		f.mov(e.Pos(), at, f.expr(e), cells(t))
	}
}

// name is a variable, a function, or a method as a value.
func (f *fn) named(e ast.Expr, at int) {
	switch x := e.(type) {
	case *ast.Ident:
		if o, ok := f.info.ObjectOf(x).(*types.Var); ok {
			f.loadTo(f.variable(o, x.Pos()), at, x.Pos())
			return
		}
	case *ast.SelectorExpr:
		s := f.info.Selections[x]
		if s == nil {
			if o, ok := f.info.ObjectOf(x.Sel).(*types.Var); ok {
				f.loadTo(f.variable(o, x.Pos()), at, x.Pos())
				return
			}
		} else if s.Kind() == types.FieldVal {
			f.loadTo(f.lvalue(x), at, x.Sel.Pos())
			return
		}
	}
	f.function(e, at)
}

func (f *fn) unary(x *ast.UnaryExpr, at int) {
	switch x.Op {
	case token.AND:
		f.addressOf(x.X, at)
	case token.ARROW:
		f.receive(x, at, -1)
	case token.NOT:
		f.emit(x.OpPos, "not", int64(at), int64(f.expr(x.X)))
	case token.SUB:
		f.emit(x.OpPos, "neg", int64(at), int64(f.expr(x.X)), kindOf(f.typ(x)))
	case token.XOR:
		f.emit(x.OpPos, "com", int64(at), int64(f.expr(x.X)), kindOf(f.typ(x)))
	case token.ADD:
		f.exprTo(x.X, at)
	default:
		f.p.refuse(x.OpPos, "the operator %s", x.Op)
	}
}

func (f *fn) addressOf(e ast.Expr, at int) {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			break
		}
		e = p.X
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		t := f.typ(lit)
		n := cells(t)
		v := f.tmp(n)
		f.composite(lit, t, v)
		f.emit(e.Pos(), "new", int64(at), int64(max(n, 1)), f.p.str(shown(t)))
		f.emit(e.Pos(), "init", int64(at), int64(v), int64(n))
		return
	}
	l := f.lvalue(e)
	if l.kind != lMem {
		f.p.refuse(e.Pos(), "the address of this")
		return
	}
	f.emit(e.Pos(), "lea", int64(at), int64(l.at), int64(l.off))
}

var binaries = map[token.Token]string{token.ADD: "add", token.SUB: "sub", token.MUL: "mul", token.QUO: "div", token.REM: "rem", token.AND: "and",
	token.OR: "or", token.XOR: "xor", token.AND_NOT: "andnot", token.SHL: "shl", token.SHR: "shr",
	token.EQL: "eq", token.NEQ: "ne", token.LSS: "lt", token.LEQ: "le", token.GTR: "gt", token.GEQ: "ge"}

func (f *fn) binary(x *ast.BinaryExpr, at int) {
	switch x.Op {
	case token.LAND, token.LOR:
		f.exprTo(x.X, at)
		op := "jz"
		if x.Op == token.LOR {
			op = "jnz"
		}
		j := f.emit(x.OpPos, op, int64(at), 0)
		f.exprTo(x.Y, at)
		f.to([]int{j}, f.here())
		return
	case token.EQL, token.NEQ:
		f.compare(x, at)
		return
	}
	f.hoist(x.X, x.Y)
	t := f.typ(x.X)
	if x.Op == token.SHL || x.Op == token.SHR {
		t = f.typ(x)
		l := f.tmp(1)
		f.exprTo(x.X, l)
		f.emit(x.OpPos, binaries[x.Op], int64(at), int64(l), int64(f.expr(x.Y)), kindOf(t), kindOf(f.typ(x.Y)))
		return
	}
	l := f.expr(x.X)
	r := f.expr(x.Y)
	f.arithmetic(x.Op, t, at, l, r, x.OpPos)
}

func (f *fn) arithmetic(op token.Token, t types.Type, at, l, r int, pos token.Pos) {
	if kind(t) == "s" {
		if op == token.ADD {
			f.emit(pos, "concat", int64(at), int64(l), int64(r))
		} else {
			f.emit(pos, "s"+binaries[op], int64(at), int64(l), int64(r))
		}
		return
	}
	f.emit(pos, binaries[op], int64(at), int64(l), int64(r), kindOf(t))
}

// compare is == and !=, of operands of which one may be an interface, or nil.
func (f *fn) compare(x *ast.BinaryExpr, at int) {
	lt, rt := f.typ(x.X), f.typ(x.Y)
	t := lt
	if f.info.Types[x.X].IsNil() || (types.IsInterface(rt) && !types.IsInterface(lt)) {
		t = rt
	}
	f.hoist(x.X, x.Y)
	n := cells(t)
	l, r := f.tmp(n), f.tmp(n)
	f.exprAs(x.X, t, l)
	f.exprAs(x.Y, t, r)
	f.equal(t, at, l, r, x.OpPos)
	if x.Op == token.NEQ {
		f.emit(x.OpPos, "not", int64(at), int64(at))
	}
}

// equal compares two values of one type. Slices, maps and functions are compared with nil only: their first cell says it.
func (f *fn) equal(t types.Type, at, l, r int, pos token.Pos) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			f.emit(pos, "seq", int64(at), int64(l), int64(r))
			return
		}
		f.emit(pos, "eq", int64(at), int64(l), int64(r), kindOf(t))
	case *types.Struct, *types.Array, *types.Interface:
		f.emit(pos, "equal", int64(at), int64(l), int64(r), f.p.typeID(t))
	default:
		f.emit(pos, "eq", int64(at), int64(l), int64(r), kindNumber["p"])
	}
}

func (f *fn) index(x *ast.IndexExpr, at int) {
	if tv, ok := f.info.Types[x.X]; ok && !tv.IsValue() || f.isGeneric(x.X) { // a function with its type arguments
		f.function(x, at)
		return
	}
	if b, ok := f.under(x.X).(*types.Basic); ok && b.Info()&types.IsString != 0 {
		s := f.expr(x.X)
		f.emit(x.Lbrack, "stridx", int64(at), int64(s), int64(f.expr(x.Index)))
		return
	}
	f.loadTo(named(f.element(x), x), at, x.Pos())
}

func (f *fn) isGeneric(e ast.Expr) bool {
	s, ok := f.info.TypeOf(e).(*types.Signature)
	return ok && s.TypeParams().Len() > 0
}

func (f *fn) slice(x *ast.SliceExpr, at int) {
	bound := func(e ast.Expr) int64 {
		if e == nil {
			return -1
		}
		v := f.tmp(1)
		f.exprTo(e, v)
		return int64(v)
	}
	switch u := f.under(x.X).(type) {
	case *types.Basic:
		s := f.expr(x.X)
		lo, hi := bound(x.Low), bound(x.High)
		f.emit(x.Lbrack, "substr", int64(at), int64(s), lo, hi)
	case *types.Slice:
		s := f.tmp(3)
		f.exprTo(x.X, s)
		f.sliced(x, s, cells(u.Elem()), bound, at)
	case *types.Pointer:
		f.slicedArray(x, f.expr(x.X), 0, u.Elem().Underlying().(*types.Array), bound, at)
	case *types.Array:
		l := f.lvalue(x.X)
		if l.kind != lMem {
			f.p.refuse(x.Pos(), "a slice of this array")
			return
		}
		f.slicedArray(x, l.at, l.off, u, bound, at)
	}
}

func (f *fn) slicedArray(x *ast.SliceExpr, p, off int, a *types.Array, bound func(ast.Expr) int64, at int) {
	s := f.tmp(3)
	f.emit(x.Lbrack, "lea", int64(s), int64(p), int64(off))
	f.emit(x.Lbrack, "const", int64(s+1), a.Len())
	f.emit(x.Lbrack, "const", int64(s+2), a.Len())
	f.sliced(x, s, cells(a.Elem()), bound, at)
	f.code[len(f.code)-1].e |= ofArray
}

const ofArray = 8 // a bit of what is given: it is an array that is sliced

// sliced: the bounds lie behind each other, -1 for one that is not given: slice AT S BOUNDS ELEM.
func (f *fn) sliced(x *ast.SliceExpr, s, elem int, bound func(ast.Expr) int64, at int) {
	given := []ast.Expr{x.Low, x.High, x.Max}
	var cellsOf [3]int64
	for i, e := range given {
		cellsOf[i] = bound(e)
	}
	b := f.tmp(3)
	has := int64(0)
	for i, c := range cellsOf {
		if c >= 0 {
			f.mov(x.Lbrack, b+i, int(c), 1)
			has |= 1 << uint(i)
		}
	}
	f.emit(x.Lbrack, "slice", int64(at), int64(s), int64(b), int64(elem), has)
}

// ---- composite literals ----

func (f *fn) composite(x *ast.CompositeLit, t types.Type, at int) {
	f.hoist(x)
	switch u := t.Underlying().(type) {
	case *types.Pointer: // &T{} whose type is left out, in a list
		v := f.tmp(cells(u.Elem()))
		f.composite(x, u.Elem(), v)
		f.emit(x.Pos(), "new", int64(at), int64(max(cells(u.Elem()), 1)), f.p.str(shown(u.Elem())))
		f.emit(x.Pos(), "init", int64(at), int64(v), int64(cells(u.Elem())))
	case *types.Struct:
		v := f.tmp(cells(t))
		f.zero(x.Pos(), v, cells(t))
		for i, e := range x.Elts {
			field := i
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
				for field = 0; u.Field(field).Name() != kv.Key.(*ast.Ident).Name; field++ {
				}
			}
			f.part(e, f.sub(u.Field(field).Type()), v+fieldOffset(u, field))
		}
		f.mov(x.Pos(), at, v, cells(t))
	case *types.Array:
		v := f.tmp(cells(t))
		f.zero(x.Pos(), v, cells(t))
		f.elements(x, func(i int64, e ast.Expr) { f.part(e, u.Elem(), v+int(i)*cells(u.Elem())) })
		f.mov(x.Pos(), at, v, cells(t))
	case *types.Slice:
		n := int64(0)
		f.elements(x, func(i int64, e ast.Expr) {
			if i >= n {
				n = i + 1
			}
		})
		elem := cells(u.Elem())
		s := f.tmp(3)
		f.emit(x.Pos(), "new", int64(s), int64(max(int(n)*elem, 1)), f.p.str(shown(t)))
		f.emit(x.Pos(), "const", int64(s+1), n)
		f.emit(x.Pos(), "const", int64(s+2), n)
		mark := f.used
		f.elements(x, func(i int64, e ast.Expr) {
			v := f.tmp(elem)
			f.part(e, u.Elem(), v)
			f.emit(e.Pos(), "init", int64(s), int64(v), int64(elem), i*int64(elem))
			f.used = mark
		})
		f.mov(x.Pos(), at, s, 3)
	case *types.Map:
		m := f.tmp(1)
		f.emit(x.Pos(), "makemap", int64(m), f.p.typeID(t))
		mark := f.used
		for _, e := range x.Elts {
			kv := e.(*ast.KeyValueExpr)
			k, v := f.tmp(cells(u.Key())), f.tmp(cells(u.Elem()))
			f.part(kv.Key, u.Key(), k)
			f.part(kv.Value, u.Elem(), v)
			f.emit(e.Pos(), "mapset", int64(m), int64(k), int64(v), f.p.typeID(t))
			f.used = mark
		}
		f.mov(x.Pos(), at, m, 1)
	default:
		f.p.refuse(x.Pos(), "a literal of the type %s", shown(t))
	}
}

// part is an element of a literal; one that is a literal itself may leave out its type.
func (f *fn) part(e ast.Expr, t types.Type, at int) {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		f.composite(lit, t, at)
		return
	}
	f.exprAs(e, t, at)
}

// elements calls do for each element of an array or slice literal with its index.
func (f *fn) elements(x *ast.CompositeLit, do func(i int64, e ast.Expr)) {
	i := int64(0)
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			i, _ = constant.Int64Val(constant.ToInt(f.info.Types[kv.Key].Value))
			e = kv.Value
		}
		do(i, e)
		i++
	}
}

// ---- interfaces, channels ----

// assert is x.(T) into `at`, and whether it holds into `ok` (-1: it panics).
func (f *fn) assert(x *ast.TypeAssertExpr, at, ok int) {
	v := f.expr(x.X)
	f.assertTo(v, f.typ(x.X), f.sub(f.info.TypeOf(x.Type)), at, ok, x.Lparen)
}

func (f *fn) assertTo(v int, from, t types.Type, at, ok int, pos token.Pos) {
	op := "assert"
	if types.IsInterface(t) {
		op = "asserti"
	}
	if ok >= 0 {
		f.emit(pos, op+"ok", int64(at), int64(v), f.p.typeID(t), int64(ok))
		return
	}
	f.emit(pos, op, int64(at), int64(v), f.p.typeID(t), f.p.typeID(from))
}

// receive is <-c into `at`, and whether a value came into `ok` (-1: not asked).
func (f *fn) receive(x *ast.UnaryExpr, at, ok int) {
	c := f.expr(x.X)
	n := cells(f.under(x.X).(*types.Chan).Elem())
	f.emit(x.OpPos, "recv", int64(at), int64(c), int64(n), int64(ok))
}
