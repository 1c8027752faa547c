package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// placeKind says where a variable is.
type placeKind int

const (
	inFrame  placeKind = iota // at a cell of the frame
	inBox                     // in memory; a cell of the frame has its address
	byValue                   // the closure has a copy, at a cell of the object `ctx`
	byBox                     // the closure has its address, at a cell of the object `ctx`
	isGlobal                  // in memory that exists from the start
)

type place struct {
	kind placeKind
	at   int
}

// loop is a statement that break or continue may name.
type loop struct {
	label         string
	breaks, nexts []int // jumps to be given their target
	isLoop        bool
	defersAtRange bool
}

// fn is a function while it is lowered, and after.
type fn struct {
	p                 *program
	number            int
	name              string
	pos               token.Pos
	nres, nparam, ctx int
	used, most        int
	code              []ins
	info              *types.Info
	subst             map[*types.TypeParam]types.Type
	places            map[types.Object]place
	results           []types.Object // named ones
	resTypes          []types.Type
	hasDefer          bool
	loops             []*loop
	labels            map[string]int
	gotos             map[string][]int
	free              []types.Object // of a closure: what it captures, in order
	use               *usage
	lower             func()
	by                token.Pos // where the person's own files reach it first
	locals            []local
	hoisted           map[ast.Expr]int // calls whose value is at a cell already (order.go)
	isLiteral         bool
	rangeOf           *fn // the body of a range over a function: the function around it
	bodyOf            *ast.RangeStmt
	bodyLabel         string
	labelsOf          map[string]bool   // in it
	branches          []*ast.BranchStmt // that leave it for a place outside
	captured          int               // cells of what it captures
	literals, bodies  int               // in it, for their names
	rank              int               // of what runs before main
}

const mostFunctions = 20000 // a generic type may need itself, in ever more types

func (p *program) newFn(name string, pos token.Pos) *fn {
	f := &fn{p: p, number: len(p.funcs), name: name, pos: pos, ctx: -1, places: map[types.Object]place{}, labels: map[string]int{}, gotos: map[string][]int{}, hoisted: map[ast.Expr]int{}}
	f.by = pos
	if !p.isOwn(pos) && p.current != nil {
		f.by = p.current.by
	}
	p.funcs = append(p.funcs, f)
	if len(p.funcs) > mostFunctions {
		panic("more than " + strconv.Itoa(mostFunctions) + " functions")
	}
	return f
}

// queue lowers the function's body later, so that functions may call each other in any order.
func (p *program) queue(f *fn, lower func()) {
	f.lower = lower
	p.todo = append(p.todo, f)
}

func (p *program) drain() {
	for len(p.todo) > 0 {
		f := p.todo[0]
		p.todo = p.todo[1:]
		p.current = f
		f.lower()
	}
}

func (f *fn) emit(pos token.Pos, op string, operands ...int64) int {
	i := ins{op: op, pos: pos}
	for n, v := range operands {
		switch n {
		case 0:
			i.a = v
		case 1:
			i.b = v
		case 2:
			i.c = v
		case 3:
			i.d = v
		case 4:
			i.e = v
		}
	}
	f.code = append(f.code, i)
	return len(f.code) - 1
}

// uses names the memory that an instruction reads or writes.
func (f *fn) uses(name string, i int) {
	f.code[i].uses = f.p.str(name)
}

// tmp takes n cells of the frame; they are given back at the end of the statement.
func (f *fn) tmp(n int) int {
	at := f.used
	f.used += n
	if f.used > f.most {
		f.most = f.used
	}
	return at
}

func (f *fn) typ(e ast.Expr) types.Type {
	t := f.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return substitute(t, f.subst)
}

func (f *fn) sub(t types.Type) types.Type { return substitute(t, f.subst) }

// under is the underlying type; of a type parameter, that of its argument.
func (f *fn) under(e ast.Expr) types.Type { return f.typ(e).Underlying() }

func (f *fn) here() int { return len(f.code) }

// to gives jumps their target.
func (f *fn) to(jumps []int, target int) {
	for _, j := range jumps {
		if f.code[j].op == "jmp" || f.code[j].op == "back" {
			f.code[j].a = int64(target)
		} else {
			f.code[j].b = int64(target)
		}
	}
}

// mov copies n cells in the frame.
func (f *fn) mov(pos token.Pos, to, from, n int) {
	if to != from && n > 0 {
		f.emit(pos, "mov", int64(to), int64(from), int64(n))
	}
}

func (f *fn) zero(pos token.Pos, at, n int) {
	if n > 0 {
		f.emit(pos, "zero", int64(at), int64(n))
	}
}

// ---- which variables are boxes ----

// usage is what a function, with the literals in it, does with its variables.
type usage struct {
	addressed, captured map[types.Object]bool
	assigned            map[types.Object]int
	owner               map[types.Object]ast.Node   // the function, or literal, that declares it
	free                map[ast.Node][]types.Object // of a literal, or of a range over a function
	defers              map[ast.Node]bool
}

func root(e ast.Expr, info *types.Info) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if t := info.TypeOf(x.X); t == nil || isPointer(t) {
				return nil
			}
			if s := info.Selections[x]; s == nil || s.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			t := info.TypeOf(x.X)
			if t == nil {
				return nil
			}
			_, array := t.Underlying().(*types.Array)
			if _, generic := t.(*types.TypeParam); !array && !generic { // an instance may have an array
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// withinElement says that e is a part of an element whose index is computed. It is assigned in memory: an array in the frame has no such parts.
func withinElement(e ast.Expr, info *types.Info) bool {
	for whole := true; ; whole = false {
		switch x := unparen(e).(type) {
		case *ast.IndexExpr:
			if !whole && info.Types[x.Index].Value == nil {
				return true
			}
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		default:
			return false
		}
	}
}

func analyse(fun ast.Node, body *ast.BlockStmt, info *types.Info, perIter bool) *usage {
	u := &usage{map[types.Object]bool{}, map[types.Object]bool{}, map[types.Object]int{}, map[types.Object]ast.Node{}, map[ast.Node][]types.Object{}, map[ast.Node]bool{}}
	var stack []ast.Node
	addressed := func(e ast.Expr) {
		if id := root(e, info); id != nil {
			if o := info.ObjectOf(id); o != nil {
				u.addressed[o] = true
			}
		}
	}
	assigned := func(e ast.Expr) {
		if id := root(e, info); id != nil {
			if o := info.ObjectOf(id); o != nil {
				u.assigned[o]++
				u.addressed[o] = u.addressed[o] || withinElement(e, info)
			}
		}
	}
	var visit func(n ast.Node) bool
	walk := func(n ast.Node, owner ast.Node) {
		stack = append(stack, owner)
		ast.Inspect(n, visit)
		stack = stack[:len(stack)-1]
	}
	declare := func(n ast.Node, owner ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := info.Defs[id]; o != nil {
					u.owner[o] = owner
				}
			}
			return true
		})
	}
	visit = func(n ast.Node) bool {
		top := stack[len(stack)-1]
		switch x := n.(type) {
		case *ast.FuncLit:
			declare(x.Type, x)
			walk(x.Body, x)
			return false
		case *ast.Ident:
			if o := info.Defs[x]; o != nil {
				u.owner[o] = top
			} else if o := info.Uses[x]; o != nil {
				u.uses(o, stack)
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				addressed(x.X)
			}
		case *ast.SliceExpr:
			if t := info.TypeOf(x.X); t != nil {
				_, array := t.Underlying().(*types.Array)
				if _, generic := t.(*types.TypeParam); array || generic {
					addressed(x.X)
				}
			}
		case *ast.SelectorExpr:
			if s := info.Selections[x]; s != nil && s.Kind() == types.MethodVal {
				sig := s.Obj().Type().(*types.Signature)
				if sig.Recv() != nil && isPointer(sig.Recv().Type()) && !isPointer(info.TypeOf(x.X)) {
					addressed(x.X)
				}
			}
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				if id, ok := l.(*ast.Ident); ok && info.Defs[id] != nil {
					continue
				}
				assigned(l)
			}
		case *ast.IncDecStmt:
			assigned(x.X)
		case *ast.RangeStmt:
			if rangeOver(x, info) { // its body is a function, in which the variables are assigned
				ast.Inspect(x.X, visit)
				stack = append(stack, x)
				for _, e := range []ast.Expr{x.Key, x.Value} {
					if e != nil {
						ast.Inspect(e, visit)
						if x.Tok == token.ASSIGN {
							assigned(e)
						}
					}
				}
				ast.Inspect(x.Body, visit)
				stack = stack[:len(stack)-1]
				return false
			}
			for _, e := range []ast.Expr{x.Key, x.Value} {
				if e != nil && (x.Tok == token.ASSIGN || !perIter) {
					assigned(e)
				}
			}
		case *ast.ValueSpec:
			if len(x.Values) == 0 {
				break
			}
		case *ast.DeferStmt:
			i := len(stack) - 1
			for _, body := stack[i].(*ast.RangeStmt); body; _, body = stack[i].(*ast.RangeStmt) {
				i--
			}
			u.defers[stack[i]] = true
		case *ast.TypeSwitchStmt:
			for _, c := range x.Body.List {
				if o := info.Implicits[c]; o != nil {
					u.owner[o] = top
				}
			}
		}
		return true
	}
	declare(fun, fun)
	walk(body, fun)
	return u
}

// uses notes a use of a variable that another function around this one declares.
func (u *usage) uses(o types.Object, stack []ast.Node) {
	v, ok := o.(*types.Var)
	owner, declared := u.owner[o]
	if !ok || v.IsField() || !declared {
		return
	}
	for i := len(stack) - 1; i >= 0 && stack[i] != owner; i-- {
		lit := stack[i]
		u.captured[o] = true
		seen := false
		for _, c := range u.free[lit] {
			seen = seen || c == o
		}
		if !seen {
			u.free[lit] = append(u.free[lit], o)
		}
	}
}

// boxed says that a variable is in memory, because its address is known elsewhere.
func (u *usage) boxed(o types.Object) bool {
	return u.addressed[o] || (u.captured[o] && u.assigned[o] > 0)
}

// ---- declarations ----

// declare gives a variable its cells, or its box. The value is zero.
func (f *fn) declare(o types.Object, pos token.Pos, zeroed bool) {
	n := cells(f.sub(o.Type()))
	if f.use != nil && f.use.boxed(o) {
		at := f.tmp(1)
		f.put(o, place{inBox, at})
		f.emit(pos, "new", int64(at), int64(max(n, 1)), f.p.str(o.Name()))
		return
	}
	at := f.tmp(n)
	f.put(o, place{inFrame, at})
	if zeroed {
		f.zero(pos, at, n)
	}
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// begin gives results and params their cells: results first, where the caller finds them.
func (f *fn) begin(sig *types.Signature, recv *types.Var, pos token.Pos) {
	for i := 0; i < sig.Results().Len(); i++ {
		t := f.sub(sig.Results().At(i).Type())
		f.resTypes = append(f.resTypes, t)
		f.nres += cells(t)
	}
	f.tmp(f.nres)
	type param struct {
		v  *types.Var
		at int
	}
	var params []param
	add := func(v *types.Var) {
		params = append(params, param{v, f.tmp(cells(f.sub(v.Type())))})
	}
	if recv != nil {
		add(recv)
	}
	for i := 0; i < sig.Params().Len(); i++ {
		add(sig.Params().At(i))
	}
	f.nparam = f.used - f.nres
	if f.ctx == 0 { // a closure: the cell behind the params
		f.ctx = f.tmp(1)
	}
	at := 0
	for i := 0; i < sig.Results().Len(); i++ {
		v := sig.Results().At(i)
		if v.Name() != "" {
			f.results = append(f.results, v)
			if v.Name() != "_" && f.use != nil && f.use.boxed(v) {
				f.declare(v, pos, true)
			} else {
				f.put(v, place{inFrame, at})
			}
		}
		at += cells(f.resTypes[i])
	}
	for _, q := range params {
		if q.v.Name() == "" || q.v.Name() == "_" {
			continue
		}
		if f.use != nil && f.use.boxed(q.v) {
			box := f.tmp(1)
			n := cells(f.sub(q.v.Type()))
			f.emit(pos, "new", int64(box), int64(max(n, 1)), f.p.str(q.v.Name()))
			f.emit(pos, "store", int64(box), int64(q.at), int64(n), 0)
			f.put(q.v, place{inBox, box})
			continue
		}
		f.put(q.v, place{inFrame, q.at})
	}
}

// leave writes named results that are boxes where the caller finds them, and returns.
func (f *fn) leave(pos token.Pos) {
	if f.hasDefer {
		f.emit(pos, "defers")
	}
	f.fetchResults(pos)
	f.emit(pos, "ret")
}

func (f *fn) fetchResults(pos token.Pos) {
	at := 0
	for i, t := range f.resTypes {
		if i < len(f.results) {
			if q, ok := f.places[f.results[i]]; ok && q.kind == inBox {
				f.uses(f.results[i].Name(), f.emit(pos, "load", int64(at), int64(q.at), int64(cells(t)), 0))
			}
		}
		at += cells(t)
	}
}

// body lowers a function's statements. A function with defers ends at one place, to which the interpreter also returns after a recovered panic.
func (f *fn) body(b *ast.BlockStmt, owner ast.Node) {
	f.hasDefer = f.use.defers[owner]
	if f.hasDefer {
		f.emit(b.Pos(), "frame") // has defers; its end is the instruction that `a` names
	}
	start := len(f.code) - 1
	f.stmts(b.List)
	for name, jumps := range f.gotos {
		target, ok := f.labels[name]
		if !ok {
			continue
		}
		f.to(jumps, target)
	}
	if f.hasDefer {
		f.code[start].a = int64(len(f.code))
	}
	f.leave(b.Rbrace)
}
