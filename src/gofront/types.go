package main

import (
	"fmt"
	"go/types"
	"strings"
)

// A value of so many cells is refused.
const tooMany = 1 << 20

// cells returns how many cells of memory a value of the type takes. -1: the form has no such type.
func cells(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return 2
		case u.Info()&types.IsComplex != 0:
			return -1
		case u.Kind() == types.UntypedNil || u.Kind() == types.Invalid:
			return 1
		}
		return 1
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return 1
	case *types.Interface:
		return 2
	case *types.Slice:
		return 3
	case *types.Struct:
		n := 0
		for i := 0; i < u.NumFields(); i++ {
			n += cells(u.Field(i).Type())
		}
		if n > tooMany {
			return tooMany
		}
		return n
	case *types.Array:
		n := cells(u.Elem())
		if n > 0 && u.Len() > int64(tooMany/n) {
			return tooMany
		}
		return int(u.Len()) * n
	case *types.Tuple:
		n := 0
		for i := 0; i < u.Len(); i++ {
			n += cells(u.At(i).Type())
		}
		return n
	}
	return 1
}

// fieldOffset returns the cell at which a field begins.
func fieldOffset(s *types.Struct, field int) int {
	n := 0
	for i := 0; i < field; i++ {
		n += cells(s.Field(i).Type())
	}
	return n
}

// kind names the kind of number for arithmetic and conversions: i8 … u64, f32, f64; s for a string, b for a bool, p for the rest.
func kind(t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return "p"
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return "b"
	case types.Int8:
		return "i8"
	case types.Int16:
		return "i16"
	case types.Int32, types.UntypedRune:
		return "i32"
	case types.Int, types.Int64, types.UntypedInt:
		return "i64"
	case types.Uint8:
		return "u8"
	case types.Uint16:
		return "u16"
	case types.Uint32:
		return "u32"
	case types.Uint, types.Uint64, types.Uintptr:
		return "u64"
	case types.Float32:
		return "f32"
	case types.Float64, types.UntypedFloat:
		return "f64"
	case types.String, types.UntypedString:
		return "s"
	}
	return "p"
}

var kindNumber = map[string]int64{"b": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "u32": 7, "u64": 8, "f32": 9, "f64": 10, "s": 11, "p": 12}

func kindOf(t types.Type) int64 { return kindNumber[kind(t)] }

// typeID returns the number of a type that values know at run time: in interfaces, maps, channels. Identical types have one number; two types of one
// name, in different functions, are not identical.
func (p *program) typeID(t types.Type) int64 {
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = types.Default(b)
	}
	if n, ok := p.typeOf[t]; ok {
		return int64(n)
	}
	name := shown(t)
	for _, n := range p.typesNamed[name] {
		if types.Identical(p.typeSeq[n], t) {
			p.typeOf[t] = n
			return int64(n)
		}
	}
	n := len(p.typeSeq)
	p.typeOf[t] = n
	p.typesNamed[name] = append(p.typesNamed[name], n)
	p.typeSeq = append(p.typeSeq, t)
	p.methodsOf(t) // so that their functions are made
	return int64(n)
}

// methodsOf makes the functions by which an interface calls the methods of a type.
func (p *program) methodsOf(t types.Type) []string {
	if types.IsInterface(t) {
		return nil
	}
	var out []string
	ms := types.NewMethodSet(t)
	for i := 0; i < ms.Len(); i++ {
		sel := ms.At(i)
		if m, ok := sel.Obj().(*types.Func); ok && p.lacking[m.Origin()] { // no interface has a method of this name
			continue
		}
		f := p.ifaceMethod(t, sel)
		if f != nil {
			out = append(out, fmt.Sprintf("%s %d", quoted(methodName(sel.Obj(), sel.Type().(*types.Signature))), f.number))
		}
	}
	return out
}

// methodName is what an interface calls a method by: its name and the types of its parameters and results. Unexported names belong to their
// package.
func methodName(o types.Object, sig *types.Signature) string {
	name := o.Name()
	if !o.Exported() {
		name = o.Pkg().Path() + "." + name
	}
	list := func(t *types.Tuple) string { return "(" + strings.Join(typeNames(t, fullPath), ",") + ")" }
	if sig.Variadic() {
		name += "…"
	}
	return name + list(sig.Params()) + list(sig.Results())
}

// typeText prints the types, in the order of their numbers. Parts of a type are types, too, so the list grows on the way.
//
//	type N bool|int…|string CELLS SIZE "name"		SIZE: twice the bytes in Go, and 1 if it has pointers
//	type N pointer|slice|chan CELLS SIZE "name" ELEM
//	type N array CELLS SIZE "name" ELEM LENGTH
//	type N map CELLS SIZE "name" KEY ELEM
//	type N struct CELLS SIZE "name" N {"field" TYPE OFFSET EXPORTED}
//	type N interface CELLS SIZE "name" N {"method"}
//	type N func CELLS SIZE "name"
//	methods N {"name" FUNC}
func (p *program) typeText() string {
	var b strings.Builder
	for n := 0; n < len(p.typeSeq); n++ {
		t := p.typeSeq[n]
		head := func(k string) { fmt.Fprintf(&b, "type %d %s %d %d %s", n, k, cells(t), goSize(t), quoted(shown(t))) }
		switch u := t.Underlying().(type) {
		case *types.Basic:
			if u.Kind() == types.UntypedNil {
				head("nil")
			} else {
				head(types.Typ[types.Default(u).(*types.Basic).Kind()].Name())
			}
		case *types.Pointer:
			head("pointer")
			fmt.Fprintf(&b, " %d", p.typeID(u.Elem()))
		case *types.Slice:
			head("slice")
			fmt.Fprintf(&b, " %d", p.typeID(u.Elem()))
		case *types.Chan:
			head("chan")
			fmt.Fprintf(&b, " %d", p.typeID(u.Elem()))
		case *types.Array:
			head("array")
			fmt.Fprintf(&b, " %d %d", p.typeID(u.Elem()), u.Len())
		case *types.Map:
			head("map")
			fmt.Fprintf(&b, " %d %d", p.typeID(u.Key()), p.typeID(u.Elem()))
		case *types.Struct:
			head("struct")
			fmt.Fprintf(&b, " %d", u.NumFields())
			for i := 0; i < u.NumFields(); i++ {
				f := u.Field(i)
				exported := 0
				if f.Exported() {
					exported = 1
				}
				fmt.Fprintf(&b, " %s %d %d %d", quoted(f.Name()), p.typeID(f.Type()), fieldOffset(u, i), exported)
			}
		case *types.Interface:
			head("interface")
			fmt.Fprintf(&b, " %d", u.NumMethods())
			for i := 0; i < u.NumMethods(); i++ {
				fmt.Fprintf(&b, " %s", quoted(methodName(u.Method(i), u.Method(i).Type().(*types.Signature))))
			}
		default:
			head("func")
		}
		b.WriteByte('\n')
		if _, named := t.(*types.Named); named || isPointerToNamed(t) || hasEmbedded(t) {
			if ms := p.methodsOf(t); len(ms) > 0 {
				fmt.Fprintf(&b, "methods %d %s\n", n, strings.Join(ms, " "))
			}
		}
	}
	return b.String()
}

var sizes = types.SizesFor("gc", "amd64")

// goSize is twice the bytes of a value in Go, and 1 if it has pointers: append needs it to grow as Go's.
func goSize(t types.Type) int64 {
	n := 2 * sizes.Sizeof(t)
	if hasPointers(t) {
		n++
	}
	return n
}

func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if hasPointers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return true
}

func isPointerToNamed(t types.Type) bool {
	q, ok := t.(*types.Pointer)
	return ok && (isNamed(q.Elem()) || hasEmbedded(q.Elem()))
}

func isNamed(t types.Type) bool {
	_, ok := t.(*types.Named)
	return ok
}

func hasEmbedded(t types.Type) bool {
	s, ok := t.(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Embedded() {
			return true
		}
	}
	return false
}

// substitute replaces type parameters by the types of an instance.
func substitute(t types.Type, with map[*types.TypeParam]types.Type) types.Type {
	if len(with) == 0 {
		return t
	}
	switch u := t.(type) {
	case *types.TypeParam:
		if s, ok := with[u]; ok {
			return s
		}
	case *types.Pointer:
		if e := substitute(u.Elem(), with); e != u.Elem() {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := substitute(u.Elem(), with); e != u.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := substitute(u.Elem(), with); e != u.Elem() {
			return types.NewArray(e, u.Len())
		}
	case *types.Chan:
		if e := substitute(u.Elem(), with); e != u.Elem() {
			return types.NewChan(u.Dir(), e)
		}
	case *types.Map:
		k, e := substitute(u.Key(), with), substitute(u.Elem(), with)
		if k != u.Key() || e != u.Elem() {
			return types.NewMap(k, e)
		}
	case *types.Tuple:
		if u == nil {
			return u
		}
		var vs []*types.Var
		changed := false
		for i := 0; i < u.Len(); i++ {
			v := u.At(i)
			s := substitute(v.Type(), with)
			changed = changed || s != v.Type()
			vs = append(vs, types.NewVar(v.Pos(), v.Pkg(), v.Name(), s))
		}
		if changed {
			return types.NewTuple(vs...)
		}
	case *types.Signature:
		ps, rs := substitute(u.Params(), with).(*types.Tuple), substitute(u.Results(), with).(*types.Tuple)
		if ps != u.Params() || rs != u.Results() {
			return types.NewSignatureType(nil, nil, nil, ps, rs, u.Variadic())
		}
	case *types.Struct:
		var fs []*types.Var
		var tags []string
		changed := false
		for i := 0; i < u.NumFields(); i++ {
			v := u.Field(i)
			s := substitute(v.Type(), with)
			changed = changed || s != v.Type()
			fs = append(fs, types.NewField(v.Pos(), v.Pkg(), v.Name(), s, v.Embedded()))
			tags = append(tags, u.Tag(i))
		}
		if changed {
			return types.NewStruct(fs, tags)
		}
	case *types.Interface:
		var ms []*types.Func
		changed := false
		for i := 0; i < u.NumMethods(); i++ {
			m := u.Method(i)
			s := substitute(m.Type(), with)
			changed = changed || s != m.Type()
			ms = append(ms, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.(*types.Signature)))
		}
		if changed {
			return types.NewInterfaceType(ms, nil).Complete()
		}
	case *types.Named:
		args := u.TypeArgs()
		if args == nil || args.Len() == 0 {
			return t
		}
		var as []types.Type
		changed := false
		for i := 0; i < args.Len(); i++ {
			s := substitute(args.At(i), with)
			changed = changed || s != args.At(i)
			as = append(as, s)
		}
		if changed {
			n, err := types.Instantiate(nil, u.Origin(), as, false)
			if err == nil {
				return n
			}
		}
	}
	return t
}
