package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
)

// message is a line for the person: a mistake that Go finds, or what we do not support. One without a place is about the program whose name heads it.
type message struct {
	at   token.Position
	text string
	pos  token.Pos // of what we do not support: it counts where main reaches it (reach.go); otherwise 0
}

const mostMessages = 10 // as many as Go prints

// refuse notes what is not supported, at its place in the person's own files: if it is in the library, where the library is called.
func (p *program) refuse(pos token.Pos, format string, args ...interface{}) {
	if !p.isOwn(pos) && p.current != nil {
		pos = p.current.by
	}
	p.messages = append(p.messages, message{at: p.fset.Position(pos), text: fmt.Sprintf(format, args...), pos: pos})
}

// exitWith prints the messages in the order of their places, none twice for a line, and ends. It returns if there is none.
func (p *program) exitWith(code int) {
	sort.SliceStable(p.messages, func(i, j int) bool {
		a, b := p.messages[i].at, p.messages[j].at
		return a.Filename < b.Filename || a.Filename == b.Filename && (a.Line < b.Line || a.Line == b.Line && a.Column < b.Column)
	})
	printed := 0
	last := message{}
	for _, m := range p.messages {
		if m.at.Filename == last.at.Filename && m.at.Line == last.at.Line && m.text == last.text {
			continue
		}
		if printed == mostMessages {
			fmt.Fprintln(os.Stderr, "too many errors")
			break
		}
		if m.at.IsValid() {
			fmt.Fprintf(os.Stderr, "%s: %s\n", m.at, m.text)
		} else {
			fmt.Fprintln(os.Stderr, m.text)
		}
		last = m
		printed++
	}
	if printed > 0 {
		os.Exit(code)
	}
}

// note takes an error of the parser or the type checker. One that comes from what the library lacks becomes a refusal.
func (l *loader) note(err error) {
	switch e := err.(type) {
	case scanner.ErrorList:
		for _, s := range e {
			l.p.messages = append(l.p.messages, message{at: s.Pos, text: "syntax error: " + s.Msg})
		}
	case types.Error:
		if strings.HasPrefix(e.Msg, "\t") { // goes on with the line before
			return
		}
		if name := strings.TrimPrefix(e.Msg, "undefined: "); name != e.Msg && l.unnamed(e.Pos, name) { // the package has its message
			return
		}
		text, lacking := l.reworded(e)
		m := message{at: l.p.fset.Position(e.Pos), text: text}
		if lacking {
			m.pos = e.Pos
		}
		l.p.messages = append(l.p.messages, m)
	default:
		l.p.messages = append(l.p.messages, message{text: err.Error()})
	}
}

// reworded also says whether the mistake is only that the library lacks something.
func (l *loader) reworded(e types.Error) (text string, lacking bool) {
	msg := e.Msg
	if strings.HasPrefix(msg, "could not import ") {
		if i, j := strings.Index(msg, "("), strings.LastIndex(msg, ")"); i >= 0 && j > i {
			return msg[i+1 : j], true
		}
	}
	if name := strings.TrimPrefix(msg, "undefined: "); name != msg {
		if path, object := l.splitName(name); path != "" && declares(path, object) {
			return fmt.Sprintf("%s is not supported; %s", name, l.nearest(path, object)), true
		}
	}
	if text := l.missingMethod(msg); text != "" {
		return text, true
	}
	return strings.TrimSuffix(strings.Split(msg, "\n")[0], ":"), false
}

// splitName finds the package that strings.NewReplacer names.
func (l *loader) splitName(name string) (path, object string) {
	i := strings.Index(name, ".")
	if i < 0 {
		return "", ""
	}
	for path, pkg := range l.pkgs {
		if pkg.Name() == name[:i] && path != "main" {
			return path, name[i+1:]
		}
	}
	return "", ""
}

// missingMethod rewords "wg.Foo undefined (type sync.WaitGroup has no field or method Foo)" if Go's sync.WaitGroup has it.
func (l *loader) missingMethod(msg string) string {
	i, j := strings.Index(msg, "(type "), strings.Index(msg, " has no field or method ")
	if i < 0 || j < i {
		return ""
	}
	typeText := strings.TrimLeft(msg[i+len("(type "):j], "*")
	method := strings.TrimRight(msg[j+len(" has no field or method "):], ")")
	if k := strings.IndexAny(method, ", "); k >= 0 {
		method = method[:k]
	}
	if k := strings.Index(typeText, "["); k >= 0 {
		typeText = typeText[:k]
	}
	path, object := l.splitName(typeText)
	if path == "" || !declares(path, object+"."+method) {
		return ""
	}
	var has []string
	if o, ok := l.pkgs[path].Scope().Lookup(object).(*types.TypeName); ok {
		ms := types.NewMethodSet(types.NewPointer(o.Type()))
		for k := 0; k < ms.Len(); k++ {
			if ms.At(k).Obj().Exported() {
				has = append(has, ms.At(k).Obj().Name())
			}
		}
	}
	return fmt.Sprintf("the method %s of %s is not supported; supported are %s", method, typeText, strings.Join(has, ", "))
}

// nearest says what there is instead: names that are like the one that is missing, or else all of a small package.
func (l *loader) nearest(path, object string) string {
	var all, like []string
	for _, n := range l.pkgs[path].Scope().Names() {
		if !token.IsExported(n) {
			continue
		}
		all = append(all, n)
		if near(n, object) {
			like = append(like, n)
		}
	}
	switch {
	case len(like) > 0:
		return "near it are " + strings.Join(like, ", ")
	case len(all) <= 30:
		return "supported are " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("supported are %d others, in the folder gofront/stubs/%s next to scenarios", len(all), path)
}

// near says that names begin with the same word, or differ in a letter of four.
func near(a, b string) bool {
	if w := firstWord(a); len(w) > 2 && w == firstWord(b) {
		return true
	}
	return 4*distance(strings.ToLower(a), strings.ToLower(b)) <= min(len(a), len(b))
}

// firstWord is "New" of NewReader.
func firstWord(name string) string {
	if i := strings.IndexFunc(name[1:], unicode.IsUpper); i >= 0 {
		return name[:i+1]
	}
	return name
}

// distance is how many letters are to be changed, put in or left out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, min(row[j], row[j+1])+1)
		}
	}
	return row[len(b)]
}

// declares says whether Go's own package has the name, or the method "Type.Method".
func declares(path, name string) bool {
	dir := filepath.Join(goroot(), "src", filepath.FromSlash(path))
	pkgs, err := parser.ParseDir(token.NewFileSet(), dir, func(f os.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, parser.SkipObjectResolution)
	if err != nil && len(pkgs) == 0 {
		return true // not part of Go: we cannot know
	}
	for _, pkg := range pkgs {
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				if declaresIn(d, name) {
					return true
				}
			}
		}
	}
	return false
}

func declaresIn(d ast.Decl, name string) bool {
	switch x := d.(type) {
	case *ast.FuncDecl:
		if x.Recv == nil {
			return x.Name.Name == name
		}
		return len(x.Recv.List) == 1 && receiverName(x.Recv.List[0].Type)+"."+x.Name.Name == name
	case *ast.GenDecl:
		for _, s := range x.Specs {
			switch y := s.(type) {
			case *ast.TypeSpec:
				if y.Name.Name == name {
					return true
				}
			case *ast.ValueSpec:
				for _, id := range y.Names {
					if id.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}

func receiverName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiverName(x.X)
	case *ast.IndexExpr:
		return receiverName(x.X)
	case *ast.IndexListExpr:
		return receiverName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
