package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The order of evaluation. Go leaves it open when a variable is read beside a call that changes it: x + f(). Go's compiler makes the calls first, in
// their order, and reads variables afterwards. So do we: hoist evaluates the calls of a list of expressions, and expr finds their values.

// hoist evaluates the calls in the expressions, if there is something beside them that a call may change.
func (f *fn) hoist(list ...ast.Expr) { f.hoistAs(nil, list) }

// hoistAs is hoist for values that become those of types: an interface takes some kinds of values from memory, where they are put in their turn.
func (f *fn) hoistAs(to func(i int) types.Type, list []ast.Expr) {
	var calls []ast.Expr
	changes := false
	for i, e := range list {
		unit := func(unit ast.Expr) { calls = append(calls, unit) }
		if to != nil && f.info.Types[e].Value == nil && types.IsInterface(to(i)) && takenFromMemory(f.typ(e)) {
			unit(e)
			f.parts(e, func(ast.Expr) {}, func() { changes = true })
			continue
		}
		f.parts(e, unit, func() { changes = true })
	}
	if !changes || len(calls) == 0 {
		return
	}
	for _, c := range calls {
		t := f.typ(c)
		if _, tuple := t.(*types.Tuple); tuple || cells(t) == 0 {
			return
		}
		at := f.tmp(cells(t))
		f.exprTo(c, at)
		f.hoisted[c] = at
	}
}

// hoistCall is hoist for a call: a method's receiver and the value of a function are arguments, too. Only an interface is read first.
func (f *fn) hoistCall(x *ast.CallExpr) {
	head := unparen(x.Fun)
	if s, ok := head.(*ast.SelectorExpr); ok && f.info.Selections[s] != nil && f.info.Selections[s].Kind() == types.MethodVal {
		sel := f.info.Selections[s]
		if types.IsInterface(f.typ(s.X)) || types.IsInterface(sel.Obj().Type().(*types.Signature).Recv().Type()) {
			return
		}
		head = s.X
		if sel.Indirect() || isPointer(f.typ(s.X)) {
			head = &ast.StarExpr{X: s.X}
		}
	} else if id := funcName(head); id != nil {
		if _, declared := f.info.ObjectOf(id).(*types.Func); declared {
			return
		}
	}
	sig, ok := f.under(x.Fun).(*types.Signature)
	if !ok {
		return
	}
	f.hoistAs(func(i int) types.Type {
		if i == 0 || sig.Params().Len() == 0 {
			return types.Typ[types.Int] // not an interface
		}
		return f.paramType(x, sig, i-1)
	}, append([]ast.Expr{head}, x.Args...))
}

// hoistAssignment is hoist for both sides of an assignment. Variables that are only written are not read.
func (f *fn) hoistAssignment(x *ast.AssignStmt) {
	var list []ast.Expr
	for _, e := range x.Lhs {
		if _, name := unparen(e).(*ast.Ident); !name || x.Tok != token.ASSIGN {
			list = append(list, e)
		}
	}
	if len(x.Lhs) == len(x.Rhs) {
		list = append(list, x.Rhs...)
	}
	f.hoist(list...)
}

// takenFromMemory says that Go's compiler gives a conversion to an interface the address of such a value.
func takenFromMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Interface, *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Tuple:
		return false
	case *types.Basic:
		return u.Kind() != types.UntypedNil && u.Info()&types.IsString == 0 && sizes.Sizeof(types.Default(t)) == 1
	}
	return hasPointers(t) || sizes.Sizeof(t) > 8
}

// parts calls unit for each part that the compiler evaluates in its place (calls, receives), and read if a variable is read that a
// call may change.
func (f *fn) parts(e ast.Expr, unit func(ast.Expr), read func()) {
	if tv := f.info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsNil() {
		return
	}
	again := func(list ...ast.Expr) {
		for _, x := range list {
			if x != nil {
				f.parts(x, unit, read)
			}
		}
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		again(x.X)
	case *ast.Ident:
		if o, ok := f.info.ObjectOf(x).(*types.Var); ok && (f.use.boxed(o) || o.Pkg() != nil && o.Parent() == o.Pkg().Scope()) {
			read()
		}
	case *ast.SelectorExpr:
		if s := f.info.Selections[x]; s != nil && s.Kind() == types.FieldVal && (s.Indirect() || isPointer(f.typ(x.X))) {
			read()
		}
		again(x.X)
	case *ast.StarExpr:
		read()
		again(x.X)
	case *ast.IndexExpr:
		switch f.under(x.X).(type) {
		case *types.Slice, *types.Pointer, *types.Map:
			read()
			again(x.X, x.Index)
		case *types.Array, *types.Basic:
			again(x.X, x.Index)
		}
	case *ast.SliceExpr:
		again(x.X, x.Low, x.High, x.Max)
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			unit(x)
			return
		}
		again(x.X, x.Y)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.ARROW:
			unit(x)
		case token.AND:
		default:
			again(x.X)
		}
	case *ast.TypeAssertExpr:
		unit(x)
	case *ast.CallExpr:
		f.partsOfCall(x, unit, again)
	case *ast.CompositeLit:
		if _, isMap := f.under(x).(*types.Map); isMap {
			unit(x)
			return
		}
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if lit, ok := el.(*ast.CompositeLit); !ok || lit.Type != nil {
				again(el)
			}
		}
	}
}

// partsOfCall: conversions and len are no calls.
func (f *fn) partsOfCall(x *ast.CallExpr, unit func(ast.Expr), again func(...ast.Expr)) {
	tv := f.info.Types[x.Fun]
	id := funcName(x.Fun)
	if tv.IsType() || tv.IsBuiltin() && id != nil && (id.Name == "len" || id.Name == "cap") {
		again(x.Args...)
		return
	}
	unit(x)
}
