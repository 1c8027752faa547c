package main

import (
	"fmt"
	"go/types"
	"strings"
)

// qualifier is how a package is written before a type's name.
type qualifier func(*types.Package) string

func byName(p *types.Package) string   { return p.Name() }
func fullPath(p *types.Package) string { return p.Path() }

// shown is the type's name as reflect, %T and panics print it: "map[string]interface {}", "struct { X int }", "main.Pair[int,main.T]".
func shown(t types.Type) string { return typeName(t, byName) }

func typeName(t types.Type, q qualifier) string {
	switch u := t.(type) {
	case *types.Basic:
		return types.Typ[u.Kind()].Name() // byte is uint8, rune is int32
	case *types.Named:
		return namedName(u, q)
	case *types.Pointer:
		return "*" + typeName(u.Elem(), q)
	case *types.Slice:
		return "[]" + typeName(u.Elem(), q)
	case *types.Array:
		return fmt.Sprintf("[%d]%s", u.Len(), typeName(u.Elem(), q))
	case *types.Map:
		return "map[" + typeName(u.Key(), q) + "]" + typeName(u.Elem(), q)
	case *types.Chan:
		return chanName(u, q)
	case *types.Signature:
		return "func" + signatureName(u, q)
	case *types.Struct:
		return "struct {" + braced(fieldNames(u, q)) + "}"
	case *types.Interface:
		return "interface {" + braced(methodNames(u, q)) + "}"
	case *types.TypeParam:
		return u.Obj().Name()
	}
	return types.TypeString(t, types.Qualifier(q))
}

func namedName(n *types.Named, q qualifier) string {
	name := n.Obj().Name()
	if n.Obj().Pkg() != nil {
		name = q(n.Obj().Pkg()) + "." + name
	}
	if n.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for i := 0; i < n.TypeArgs().Len(); i++ {
		args = append(args, typeName(n.TypeArgs().At(i), fullPath))
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

func chanName(c *types.Chan, q qualifier) string {
	elem := typeName(c.Elem(), q)
	switch c.Dir() {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if in, ok := c.Elem().(*types.Chan); ok && in.Dir() == types.RecvOnly {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signatureName(s *types.Signature, q qualifier) string {
	params := typeNames(s.Params(), q)
	if n := len(params) - 1; s.Variadic() {
		params[n] = "..." + strings.TrimPrefix(params[n], "[]")
	}
	results := strings.Join(typeNames(s.Results(), q), ", ")
	switch {
	case s.Results().Len() > 1:
		results = " (" + results + ")"
	case results != "":
		results = " " + results
	}
	return "(" + strings.Join(params, ", ") + ")" + results
}

func typeNames(t *types.Tuple, q qualifier) []string {
	var out []string
	for i := 0; i < t.Len(); i++ {
		out = append(out, typeName(t.At(i).Type(), q))
	}
	return out
}

func fieldNames(s *types.Struct, q qualifier) []string {
	var out []string
	for i := 0; i < s.NumFields(); i++ {
		name := typeName(s.Field(i).Type(), q)
		if !s.Field(i).Embedded() {
			name = s.Field(i).Name() + " " + name
		}
		if s.Tag(i) != "" {
			name += " " + fmt.Sprintf("%q", s.Tag(i))
		}
		out = append(out, name)
	}
	return out
}

func methodNames(i *types.Interface, q qualifier) []string {
	var out []string
	for k := 0; k < i.NumMethods(); k++ {
		m := i.Method(k)
		name := m.Name()
		if !m.Exported() {
			name = q(m.Pkg()) + "." + name
		}
		out = append(out, name+signatureName(m.Type().(*types.Signature), q))
	}
	return out
}

func braced(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, "; ") + " "
}
