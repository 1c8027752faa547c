package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Range over a function: the body is a function of its own, yield, which the iterator calls. What leaves the body otherwise than by its end (break,
// return, a jump to a label outside) notes in the loop's state where it goes, returns false, and goes on there when the iterator has returned.

// The loop's state is an object in memory, that of the body has its address as its first capture.
const (
	stateExit    = 0 // where the body goes: one of the exits
	stateOf      = 1 // one of the phases
	stateDepth   = 2 // the call of the function around all bodies, for which a body defers
	stateResults = 3 // what a return in the body returns
)

// exits of a body; from exitBranch on, one for each jump to a label outside.
const (
	exitEnd = iota
	exitBreak
	exitReturn // with values
	exitBare   // return without values
	exitBranch
)

const (
	phaseReady = iota
	phaseFalse // the body has returned false
	phaseOver  // the iterator has returned
	phaseBody  // the body runs, or has panicked
)

var phaseErrors = map[int64]string{
	phaseFalse: "range function continued iteration after function for loop body returned false",
	phaseOver:  "range function continued iteration after whole loop exit",
	phaseBody:  "range function continued iteration after loop body panic",
}

const resumedNot = "range function recovered a loop body panic and did not resume panicking"

// rangeOver says that a statement ranges over a function.
func rangeOver(x *ast.RangeStmt, info *types.Info) bool {
	t := info.TypeOf(x.X)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func (f *fn) rangeFunc(x *ast.RangeStmt, s *types.Signature, label string) {
	iterator, state := f.tmp(1), f.tmp(1)
	f.exprTo(x.X, iterator)
	f.emit(x.For, "new", int64(state), int64(stateResults+cells(f.results0())), f.p.str("range"))
	f.passDepth(state, x.For)
	w := f.yield(x, s.Params().At(0).Type().Underlying().(*types.Signature), label)
	base := f.tmp(1)
	v := f.tmp(1 + w.captured)
	f.mov(x.For, v, state, 1)
	f.capture(w.free, v+1, x.Pos())
	f.emit(x.For, "closure", int64(base), int64(w.number), int64(1+w.captured), int64(v))
	f.emit(x.For, "callc", int64(iterator), int64(base), 0, 1)
	f.setState(state, stateOf, phaseOver, func(phase int) { f.panicIf(phase, phaseBody, resumedNot, x.For) }, x.For)
	f.goOn(w, state, x.For)
}

// passDepth notes in the state which call the body defers for.
func (f *fn) passDepth(state int, pos token.Pos) {
	v := f.tmp(1)
	if f.rangeOf == nil {
		f.emit(pos, "depth", int64(v))
	} else {
		f.emit(pos, "load", int64(v), int64(f.state(pos)), 1, stateDepth)
	}
	f.emit(pos, "store", int64(state), int64(v), 1, stateDepth)
}

// defersOutside makes the next defer that of the function around the body.
func (f *fn) defersOutside(pos token.Pos) {
	if f.rangeOf == nil {
		return
	}
	v := f.tmp(1)
	f.emit(pos, "load", int64(v), int64(f.state(pos)), 1, stateDepth)
	f.emit(pos, "deferto", int64(v))
}

// results0 is the tuple of the results of the function around all bodies.
func (f *fn) results0() *types.Tuple {
	root := f.root()
	vars := make([]*types.Var, len(root.resTypes))
	for i, t := range root.resTypes {
		vars[i] = types.NewVar(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...)
}

// root is the function that a body belongs to, through all loops.
func (f *fn) root() *fn {
	for f.rangeOf != nil {
		f = f.rangeOf
	}
	return f
}

// yield lowers the body.
func (f *fn) yield(x *ast.RangeStmt, s *types.Signature, label string) *fn {
	w := f.p.newFn(f.bodyName(), x.Pos())
	w.info, w.subst, w.use, w.rangeOf, w.bodyOf = f.info, f.subst, f.use, f, x
	w.ctx = 0
	w.labelsOf = labelsIn(x.Body)
	w.bodyLabel = label
	w.free = f.use.free[x]
	for _, o := range w.free {
		k := byValue
		if f.use.boxed(o) {
			k = byBox
		}
		w.put(o, place{k, 2 + w.captured})
		w.captured += f.capturedCells(o)
	}
	before := f.p.current
	f.p.current = w
	w.begin(s, nil, x.Pos())
	w.resTypes = nil
	state := w.state(x.Pos())
	w.setState(state, stateOf, phaseBody, func(phase int) {
		for _, code := range []int64{phaseFalse, phaseOver, phaseBody} {
			w.panicIf(phase, code, phaseErrors[code], x.For)
		}
	}, x.For)
	at := w.nres
	for i, e := range []ast.Expr{x.Key, x.Value} {
		if i >= s.Params().Len() {
			break
		}
		t := w.sub(s.Params().At(i).Type())
		w.given(x, e, at, t)
		at += cells(t)
	}
	w.stmts(x.Body.List)
	w.continues(x.Body.Rbrace)
	for name, jumps := range w.gotos {
		w.to(jumps, w.labels[name])
	}
	f.p.current = before
	return w
}

// given gives a variable of the loop what the iterator passes.
func (w *fn) given(x *ast.RangeStmt, e ast.Expr, at int, t types.Type) {
	if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
		return
	}
	if x.Tok == token.DEFINE {
		w.declare(w.info.Defs[e.(*ast.Ident)], e.Pos(), false)
	}
	w.iterate(x, e, at, t)
}

func labelsIn(b *ast.BlockStmt) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(b, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			found[l.Label.Name] = true
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return found
}

// state returns the cell of the state's address, in the body.
func (w *fn) state(pos token.Pos) int {
	at := w.tmp(1)
	w.emit(pos, "load", int64(at), int64(w.ctx), 1, 1)
	return at
}

// setState sets a cell of the state; check sees what it was.
func (f *fn) setState(state, cell int, to int64, check func(was int), pos token.Pos) {
	v := f.tmp(1)
	if check != nil {
		f.emit(pos, "load", int64(v), int64(state), 1, int64(cell))
		check(v)
	}
	f.emit(pos, "const", int64(v), to)
	f.emit(pos, "store", int64(state), int64(v), 1, int64(cell))
}

// is emits a test of a cell, and returns the jump that is taken if it has another value.
func (f *fn) is(cell int, value int64, pos token.Pos) int {
	k, hit := f.tmp(1), f.tmp(1)
	f.emit(pos, "const", int64(k), value)
	f.emit(pos, "eq", int64(hit), int64(cell), int64(k), kindNumber["i64"])
	return f.emit(pos, "jz", int64(hit), 0)
}

func (f *fn) panicIf(cell int, value int64, text string, pos token.Pos) {
	other := f.is(cell, value, pos)
	s, v := f.tmp(2), f.tmp(2)
	f.emit(pos, "str", int64(s), f.p.str("runtime error: "+text))
	f.emit(pos, "iface", int64(v), f.p.typeID(f.p.errors[errString]), int64(s))
	f.emit(pos, "panic", int64(v))
	f.to([]int{other}, f.here())
}

// ---- how a body ends ----

// continues ends the body: the iterator goes on.
func (w *fn) continues(pos token.Pos) {
	w.setState(w.state(pos), stateOf, phaseReady, nil, pos)
	w.emit(pos, "const", 0, 1)
	w.emit(pos, "ret")
}

// stops ends the body and the loop; exit says where the function around it goes on.
func (w *fn) stops(exit int64, pos token.Pos) {
	state := w.state(pos)
	w.setState(state, stateExit, exit, nil, pos)
	w.setState(state, stateOf, phaseFalse, nil, pos)
	w.emit(pos, "const", 0, 0)
	w.emit(pos, "ret")
}

// leaveBody is a break, continue or goto that no statement of the body is the target of.
func (w *fn) leaveBody(x *ast.BranchStmt) {
	own := x.Label == nil || x.Label.Name == w.bodyLabel
	switch {
	case own && x.Tok == token.CONTINUE:
		w.continues(x.Pos())
	case own && x.Tok == token.BREAK:
		w.stops(exitBreak, x.Pos())
	default:
		w.branches = append(w.branches, x)
		w.stops(exitBranch+int64(len(w.branches))-1, x.Pos())
	}
}

// returns is a return in the body: with the values that lie at the cells, or bare.
func (w *fn) returns(vals []int, ts []types.Type, pos token.Pos) {
	if len(vals) == 0 && len(w.root().resTypes) > 0 {
		w.stops(exitBare, pos)
		return
	}
	state := w.state(pos)
	at := stateResults
	for i, t := range w.root().resTypes {
		w.emit(pos, "store", int64(state), int64(w.convert(vals[i], ts[i], t, pos)), int64(cells(t)), int64(at))
		at += cells(t)
	}
	w.stops(exitReturn, pos)
}

// goOn continues where the body has gone.
func (f *fn) goOn(w *fn, state int, pos token.Pos) {
	exit := f.tmp(1)
	f.emit(pos, "load", int64(exit), int64(state), 1, stateExit)
	other := f.is(exit, exitReturn, pos)
	types := f.root().resTypes
	var vals []int
	at := stateResults
	for _, t := range types {
		v := f.tmp(cells(t))
		f.emit(pos, "load", int64(v), int64(state), int64(cells(t)), int64(at))
		vals = append(vals, v)
		at += cells(t)
	}
	f.giveBack(vals, types, pos)
	f.to([]int{other}, f.here())
	if len(types) > 0 {
		other = f.is(exit, exitBare, pos)
		f.giveBack(nil, nil, pos)
		f.to([]int{other}, f.here())
	}
	for i, b := range w.branches {
		other = f.is(exit, exitBranch+int64(i), pos)
		f.branch(b)
		f.to([]int{other}, f.here())
	}
}
