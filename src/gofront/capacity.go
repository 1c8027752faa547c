package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"strings"
)

// Where append begins a slice, Go 1.25 and newer may take the first 32 bytes from the stack. Whether they do is the compiler's decision, which depends
// on what the rest of the program does with the slice. So we cannot know its capacity, nor whether two slices share memory after the next append.
// A program that could see this gets a note.

type capacities struct {
	info   *types.Info
	values map[types.Object][]ast.Expr // what a variable of a slice type may be; nil: nothing, or what we do not know
	asked  map[types.Object]bool       // against endless recursion
}

// noteCapacities writes a note to stderr for each place where such a capacity can be seen.
func (p *program) noteCapacities(files []*ast.File, info *types.Info) {
	if minorOf(strings.TrimPrefix(runtime.Version(), "go")) < 25 {
		return
	}
	c := &capacities{info: info, values: map[types.Object][]ast.Expr{}}
	var begun []types.Type
	forks := map[types.Object][]*ast.CallExpr{} // appends to a variable whose results go elsewhere
	for _, f := range files {
		ast.Inspect(f, c.collect)
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.CallExpr); ok && c.isBuiltin(x, "append") && c.mayBegin(x.Args[0]) && isSmall(c.elem(x)) {
				begun = append(begun, c.elem(x))
				if o := c.object(x.Args[0]); o != nil && !c.gives(o, x) {
					forks[o] = append(forks[o], x)
				}
			}
			return true
		})
	}
	note := func(at token.Pos, text string) {
		fmt.Fprintf(os.Stderr, "%s: note: %s\n", p.fset.Position(at), text)
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.CallExpr); ok && c.isBuiltin(x, "cap") && c.mayBegin(x.Args[0]) {
				for _, t := range begun {
					if types.Identical(t, c.elem(x)) {
						note(x.Pos(), "in Go, cap may be another number: where append begins a slice, the compiler chooses between the stack and the heap")
						break
					}
				}
			}
			return true
		})
	}
	for o, all := range forks {
		if len(all) > 1 {
			note(all[1].Pos(), fmt.Sprintf("in Go, this append may or may not share memory with another one to %s: that depends on its capacity, which the compiler chooses", o.Name()))
		}
	}
}

// collect notes what variables are given.
func (c *capacities) collect(n ast.Node) bool {
	give := func(to ast.Expr, value ast.Expr) {
		if o := c.object(to); o != nil {
			c.values[o] = append(c.values[o], value)
		}
	}
	switch x := n.(type) {
	case *ast.AssignStmt:
		for i, to := range x.Lhs {
			if len(x.Lhs) == len(x.Rhs) {
				give(to, x.Rhs[i])
			} else {
				give(to, nil)
			}
		}
	case *ast.ValueSpec:
		for i, name := range x.Names {
			if i < len(x.Values) {
				give(name, x.Values[i])
			} else {
				give(name, nil)
			}
		}
	}
	return true
}

func (c *capacities) isBuiltin(x *ast.CallExpr, name string) bool {
	id, ok := unparen(x.Fun).(*ast.Ident)
	if !ok || id.Name != name || !c.info.Types[x.Fun].IsBuiltin() || len(x.Args) == 0 {
		return false
	}
	return c.elem(x) != nil
}

// elem is the type of the elements of a call's first argument; nil: it is no slice.
func (c *capacities) elem(x *ast.CallExpr) types.Type {
	if t := c.info.TypeOf(x.Args[0]); t != nil {
		if s, ok := t.Underlying().(*types.Slice); ok {
			if _, generic := s.Elem().(*types.TypeParam); generic {
				return types.Typ[types.Int]
			}
			return s.Elem()
		}
	}
	return nil
}

func (c *capacities) object(e ast.Expr) types.Object {
	switch x := unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.info.ObjectOf(x).(*types.Var); ok {
			return v
		}
	case *ast.SelectorExpr:
		return c.object(x.Sel)
	}
	return nil
}

// gives says that the variable is given the value.
func (c *capacities) gives(o types.Object, value ast.Expr) bool {
	for _, v := range c.values[o] {
		if v != nil && unparen(v) == value {
			return true
		}
	}
	return false
}

// mayBegin says that the slice may have no element and no room, so that append begins it.
func (c *capacities) mayBegin(e ast.Expr) bool {
	switch x := unparen(e).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.SliceExpr:
		return c.info.TypeOf(x.X) != nil && !isArray(c.info.TypeOf(x.X)) && c.mayBegin(x.X)
	case *ast.CallExpr:
		if c.isBuiltin(x, "append") {
			return c.mayBegin(x.Args[0])
		}
		if id, ok := unparen(x.Fun).(*ast.Ident); ok && id.Name == "make" && c.info.Types[x.Fun].IsBuiltin() {
			room := c.info.Types[x.Args[len(x.Args)-1]].Value
			return room != nil && room.String() == "0"
		}
	case *ast.Ident, *ast.SelectorExpr:
		o := c.object(e)
		if o == nil || c.asked[o] {
			return o == nil
		}
		values, known := c.values[o]
		if !known || o.(*types.Var).IsField() { // a parameter; a field of a new struct
			return true
		}
		if c.asked == nil {
			c.asked = map[types.Object]bool{}
		}
		c.asked[o] = true
		defer delete(c.asked, o)
		for _, v := range values {
			if v == nil || c.mayBegin(v) {
				return true
			}
		}
		return false
	}
	return true
}

// isSmall says that the stack's buffer can hold a value of the type; one that depends on a type parameter may be small.
func isSmall(t types.Type) (small bool) {
	defer func() {
		if recover() != nil { // its size is not known
			small = true
		}
	}()
	return sizes.Sizeof(t) <= 32
}

func isArray(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}
