package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// program writes a function, or a literal that is a program of its own.
func (s *scenario) program(node ast.Node) {
	s.at = &yamlProgram{node: node, local: map[types.Object]string{}, taken: map[string]bool{}, out: &strings.Builder{}, depth: 3}
	var fields *ast.FieldList
	var results *ast.FieldList
	var body *ast.BlockStmt
	var more []types.Object
	switch n := node.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil || n.Type.TypeParams != nil {
			s.refuse(n.Pos(), "%s has a receiver or type parameters", n.Name.Name)
		}
		fields, results, body = n.Type.Params, n.Type.Results, n.Body
	case *ast.FuncLit:
		fields, results, body, more = n.Type.Params, n.Type.Results, n.Body, s.captured(n)
	}
	if results != nil && (len(results.List) != 1 || len(results.List[0].Names) > 0 || roleOf(s.info.TypeOf(results.List[0].Type)) != aNumber) {
		s.refuse(results.Pos(), "a function whose result is not one integer without a name")
	}
	var params []string
	s.at.taken["i"] = true // the number of the G, which a parameter cannot replace
	param := func(o types.Object, pos token.Pos) {
		k := roleOf(o.Type())
		if s.bound[o] != nil {
			return
		}
		if k != aNumber && k != aChannel {
			s.refuse(pos, "a parameter of the type %s", types.TypeString(o.Type(), types.RelativeTo(o.Pkg())))
		}
		name := free(s.taken, o.Name(), s.at.taken)
		s.at.taken[name] = true
		s.at.local[o] = name
		if k == aChannel {
			name = "{name: " + name + ", type: channel}"
		}
		params = append(params, name)
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			s.refuse(f.Pos(), "a parameter without a name")
		}
		for _, id := range f.Names {
			if s.info.Defs[id] == nil || id.Name == "_" {
				s.refuse(id.Pos(), "a parameter without a name")
			}
			param(s.info.Defs[id], id.Pos())
		}
	}
	for _, o := range more {
		param(o, node.Pos())
	}
	delete(s.at.taken, "i")
	s.stmts(body.List)
	head := "  - name: " + s.called[node] + "\n"
	if len(params) > 0 {
		head += "    params: [" + strings.Join(params, ", ") + "]\n"
	}
	text := s.at.out.String()
	if text == "" {
		head += "    do: []\n"
	} else {
		head += "    do:\n"
	}
	s.programs = append(s.programs, head+text)
}

// literal writes the body of a function that stays where it is.
func (s *scenario) literal(f *ast.FuncLit) {
	if f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() > 0 {
		s.refuse(f.Pos(), "a function literal with parameters or results here")
	}
	loops := s.at.loops
	s.at.loops = nil
	s.at.inside++
	s.stmts(f.Body.List)
	s.at.inside--
	s.at.loops = loops
}

func (s *scenario) stmts(list []ast.Stmt) {
	for _, n := range list {
		s.stmt(n, "")
	}
}

func (s *scenario) stmt(n ast.Stmt, label string) {
	switch n := n.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		s.stmts(n.List)
	case *ast.LabeledStmt:
		s.stmt(n.Stmt, n.Label.Name)
	case *ast.ExprStmt:
		s.exprStmt(n.X)
	case *ast.SendStmt:
		value := ""
		if c, ok := s.info.TypeOf(n.Chan).Underlying().(*types.Chan); ok && roleOf(c.Elem()) == aChannel {
			value = ", value: " + s.channel(n.Value)
		} else if v := s.expr(n.Value); v != "0" {
			value = ", value: " + inYAML(v)
		}
		s.line("{send: %s%s}", s.channel(n.Chan), value)
	case *ast.IncDecStmt:
		id, ok := n.X.(*ast.Ident)
		if !ok {
			s.refuse(n.Pos(), "%s", types.ExprString(n.X))
		}
		v := s.variable(id)
		s.line("{set: %s, to: %s %c 1}", v, v, n.Tok.String()[0])
	case *ast.AssignStmt:
		s.assign(n)
	case *ast.DeclStmt:
		s.decl(n.Decl.(*ast.GenDecl))
	case *ast.GoStmt:
		s.goStmt(n)
	case *ast.DeferStmt:
		s.deferStmt(n)
	case *ast.ReturnStmt:
		s.returnStmt(n)
	case *ast.BranchStmt:
		s.branch(n)
	case *ast.IfStmt:
		s.ifStmt(n)
	case *ast.ForStmt:
		s.forStmt(n, label)
	case *ast.RangeStmt:
		s.rangeStmt(n, label)
	case *ast.SwitchStmt:
		s.switchStmt(n)
	case *ast.SelectStmt:
		s.selectStmt(n)
	default:
		s.refuse(n.Pos(), "this statement")
	}
}

func (s *scenario) exprStmt(e ast.Expr) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		s.exprStmt(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			s.line("{recv: %s}", s.channel(x.X))
			return
		}
	case *ast.CallExpr:
		s.call(x, "")
		return
	}
	s.refuse(e.Pos(), "%s", types.ExprString(e))
}

// ---- variables ----

// isDeclared says that the value of a declaration is what the top of the file declares.
func (s *scenario) isDeclared(id *ast.Ident, value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	o := s.info.Defs[id]
	return ok && o != nil && s.name[o] != "" && (s.of[o] == aChannel || s.of[o] == aCond) && (s.builtin(call) == "make" || s.function(call) == "sync.NewCond")
}

func (s *scenario) assign(n *ast.AssignStmt) {
	if len(n.Rhs) == 1 && len(n.Lhs) == 2 {
		s.assignTwo(n)
		return
	}
	if len(n.Lhs) == 1 {
		s.set(n.Lhs[0], n.Tok, n.Rhs[0])
		return
	}
	if n.Tok == token.DEFINE {
		for i := range n.Lhs {
			s.set(n.Lhs[i], n.Tok, n.Rhs[i])
		}
		return
	}
	var temps []string
	for _, e := range n.Rhs {
		t := s.temp("v")
		s.line("{set: %s, to: %s}", t, inYAML(s.expr(e)))
		temps = append(temps, t)
	}
	for i, e := range n.Lhs {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
			continue
		} else if ok {
			s.line("{set: %s, to: %s}", s.variable(id), temps[i])
			continue
		}
		s.refuse(e.Pos(), "%s", types.ExprString(e))
	}
}

// target returns the variable, "" for _.
func (s *scenario) target(e ast.Expr) string {
	id, ok := e.(*ast.Ident)
	if !ok {
		s.refuse(e.Pos(), "%s", types.ExprString(e))
	}
	if id.Name == "_" {
		return ""
	}
	return s.variable(id)
}

func (s *scenario) assignTwo(n *ast.AssignStmt) {
	switch x := n.Rhs[0].(type) {
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			ok := s.target(n.Lhs[1])
			if ok != "" {
				ok = ", ok: " + ok
			}
			s.line("{recv: %s%s%s}", s.channel(x.X), with(s.target(n.Lhs[0])), ok)
			return
		}
	case *ast.CallExpr:
		name := s.function(x)
		id, ok := n.Lhs[0].(*ast.Ident)
		cancel, isName := n.Lhs[1].(*ast.Ident)
		if !ok || !isName || name != "context.WithCancel" && name != "context.WithTimeout" {
			break
		}
		timeout, parent := "", ""
		if name == "context.WithTimeout" {
			timeout = ", timeout: " + s.duration(x.Args[1])
		}
		if of, ok := x.Args[0].(*ast.CallExpr); !ok || s.function(of) != "context.Background" && s.function(of) != "context.TODO" {
			parent = ", parent: " + s.object(x.Args[0], aContext)
		}
		context := s.object(id, aContext)
		if o := s.info.Defs[cancel]; o != nil {
			s.name[o] = context // {cancel: CONTEXT}
		} else if cancel.Name != "_" {
			s.refuse(cancel.Pos(), "%s is set twice", cancel.Name)
		}
		s.line("{context: %s%s%s}", context, parent, timeout)
		return
	}
	s.refuse(n.Pos(), "%s", types.ExprString(n.Rhs[0]))
}

func (s *scenario) set(to ast.Expr, tok token.Token, value ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok {
		s.refuse(to.Pos(), "%s", types.ExprString(to))
	}
	if tok == token.DEFINE && s.isDeclared(id, value) {
		return
	}
	if call, ok := value.(*ast.CallExpr); ok {
		o := s.info.Defs[id]
		if o == nil {
			o = s.info.Uses[id]
		}
		switch s.function(call) {
		case "time.NewTimer", "time.NewTicker":
			verb := map[string]string{"time.NewTimer": "timer", "time.NewTicker": "ticker"}[s.function(call)]
			s.line("{%s: %s, as: %s}", verb, s.duration(call.Args[0]), s.object(id, aTimer, aTicker))
			return
		case "time.AfterFunc":
			s.after(call, s.object(id, aFunc))
			return
		}
	}
	if id.Name == "_" {
		if s.info.Types[value].Value == nil && roleOf(s.info.TypeOf(value)) != aChannel {
			s.expr(value)
		}
		return
	}
	name := s.variable(id)
	op := operators[tokenOf(tok)]
	receive, isReceive := value.(*ast.UnaryExpr)
	switch {
	case isReceive && receive.Op == token.ARROW && (tok == token.ASSIGN || tok == token.DEFINE):
		s.line("{recv: %s, as: %s}", s.channel(receive.X), name)
	case roleOf(s.info.TypeOf(to)) == aChannel:
		s.line("{set: %s, to: %s}", name, s.channel(value))
	case tok != token.ASSIGN && tok != token.DEFINE && op == "":
		s.refuse(to.Pos(), "the operator %s", tok)
	case op != "":
		s.line("{set: %s, to: %s}", name, inYAML(name+" "+op+" ("+s.expr(value)+")"))
	default:
		if c, ok := value.(*ast.CallExpr); ok && s.info.Types[value].Value == nil {
			if !s.call(c, name) {
				s.refuse(value.Pos(), "the value %s", types.ExprString(value))
			}
			return
		}
		s.line("{set: %s, to: %s}", name, inYAML(s.expr(value)))
	}
}

// tokenOf returns + for += and so on.
func tokenOf(tok token.Token) token.Token {
	if tok >= token.ADD_ASSIGN && tok <= token.REM_ASSIGN {
		return tok - token.ADD_ASSIGN + token.ADD
	}
	return token.ILLEGAL
}

func (s *scenario) decl(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, id := range v.Names {
			o := s.info.Defs[id]
			switch {
			case len(v.Values) == len(v.Names):
				s.set(id, token.DEFINE, v.Values[i])
			case len(v.Values) > 0:
				s.refuse(v.Pos(), "%s", types.ExprString(v.Values[0]))
			case id.Name == "_" || s.name[o] != "" && !s.shared[o]:
			case roleOf(o.Type()) == aChannel:
				s.line("{set: %s, to: nil}", s.variable(id))
			case s.of[o] != anAtomic:
				s.line("{set: %s, to: 0}", s.variable(id))
			}
		}
	}
}

// ---- control ----

func (s *scenario) deferStmt(n *ast.DeferStmt) {
	if s.at.inside > 0 {
		s.refuse(n.Pos(), "defer inside of a deferred function or of a once")
	}
	f, ok := n.Call.Fun.(*ast.FuncLit)
	if !ok {
		for _, a := range n.Call.Args {
			if k := roleOf(s.info.TypeOf(a)); s.info.Types[a].Value == nil && (k == aNumber || k == aChannel && s.name[s.used(a)] == "") {
				s.refuse(a.Pos(), "defer with the value that %s has now; defer a function literal", types.ExprString(a))
			}
		}
	}
	s.sameLater(n.Call, f)
	s.line("defer:")
	s.at.depth++
	s.at.inside++
	before := s.at.out.Len()
	s.at.depth++
	if ok && len(n.Call.Args) == 0 {
		s.literal(f)
	} else if ok {
		s.refuse(n.Pos(), "a function literal with parameters here")
	} else {
		s.call(n.Call, "")
	}
	s.at.depth -= 2
	s.at.inside--
	if s.at.out.Len() == before {
		text := strings.TrimSuffix(s.at.out.String(), "\n")
		s.at.out.Reset()
		s.at.out.WriteString(text + " []\n")
	}
}

// sameLater refuses what means something else when the function ends: a variable of a loop, which Go has once for each turn, and an index.
func (s *scenario) sameLater(call *ast.CallExpr, f *ast.FuncLit) {
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o, ok := s.info.Uses[n].(*types.Var)
			if ok && s.inLoop[o] && !(f != nil && f.Pos() < o.Pos() && o.Pos() < f.End()) {
				s.refuse(n.Pos(), "defer with %s, which is another variable in each turn of a loop", n.Name)
			}
		case *ast.IndexExpr:
			if f == nil && s.info.Types[n.Index].Value == nil {
				s.refuse(n.Pos(), "defer with the value that %s has now; defer a function literal", types.ExprString(n.Index))
			}
		}
		return true
	})
}

func (s *scenario) used(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok {
		return s.info.Uses[id]
	}
	return nil
}

func (s *scenario) returnStmt(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		s.line("{return: true}")
		return
	}
	s.line("{return: true, value: %s}", inYAML(s.expr(n.Results[0])))
}

func (s *scenario) branch(n *ast.BranchStmt) {
	if len(s.at.loops) == 0 || n.Tok != token.BREAK && n.Tok != token.CONTINUE {
		s.refuse(n.Pos(), "%s here", n.Tok)
	}
	loop := s.at.loops[len(s.at.loops)-1]
	switch {
	case n.Label != nil && n.Label.Name != loop.label:
		s.refuse(n.Pos(), "%s of an outer loop", n.Tok)
	case n.Tok == token.BREAK && n.Label == nil && loop.selects > 0:
		s.refuse(n.Pos(), "break of a select or switch")
	case n.Tok == token.CONTINUE && loop.post:
		s.refuse(n.Pos(), "continue in a loop with a statement behind each turn")
	}
	s.line("{%s: true}", n.Tok)
}

func (s *scenario) ifStmt(n *ast.IfStmt) {
	if n.Init != nil {
		s.stmt(n.Init, "")
	}
	s.line("if: %s", inYAML(s.cond0(n.Cond)))
	s.list("then", func() { s.stmts(n.Body.List) })
	if n.Else != nil {
		s.list("else", func() { s.stmt(n.Else, "") })
	}
}

// cond0 is a condition; what recover() has returned may be compared with nil.
func (s *scenario) cond0(e ast.Expr) string {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.NEQ || b.Op == token.EQL) {
		id, isName := b.X.(*ast.Ident)
		call, isCall := b.X.(*ast.CallExpr)
		name := ""
		if isName && s.cond[s.info.Uses[id]] {
			name = s.recovered(s.info.Uses[id])
		} else if isCall && s.builtin(call) == "recover" {
			name = s.temp("recovered")
			s.call(call, name)
		}
		if nilId, ok := b.Y.(*ast.Ident); ok && nilId.Name == "nil" && name != "" {
			if b.Op == token.EQL {
				return "!" + name
			}
			return name
		}
	}
	return s.expr(e)
}

func (s *scenario) recovered(o types.Object) string {
	if s.at.local[o] == "" {
		s.at.local[o] = s.temp(o.Name())
	}
	return s.at.local[o]
}

func (s *scenario) loop(label string, post bool, body func()) {
	s.at.loops = append(s.at.loops, loopAround{label: label, post: post})
	s.list("do", body)
	s.at.loops = s.at.loops[:len(s.at.loops)-1]
}

// stays says that the value is the same in each turn of a loop.
func (s *scenario) stays(e ast.Expr) bool {
	if s.info.Types[e].Value != nil {
		return true
	}
	id, ok := e.(*ast.Ident)
	return ok && s.changes[s.info.Uses[id]] == 0 && !s.shared[s.info.Uses[id]] && roleOf(s.info.TypeOf(e)) == aNumber
}

// counts returns the variable and the end of for i := 0; i < n; i++, where nothing else changes them.
func (s *scenario) counts(n *ast.ForStmt) (*ast.Ident, ast.Expr) {
	init, ok1 := n.Init.(*ast.AssignStmt)
	cond, ok2 := n.Cond.(*ast.BinaryExpr)
	post, ok3 := n.Post.(*ast.IncDecStmt)
	if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC || s.p.minor() < 22 {
		return nil, nil
	}
	id := init.Lhs[0].(*ast.Ident)
	o := s.info.Defs[id]
	v := s.info.Types[init.Rhs[0]].Value
	if v == nil || v.String() != "0" || s.used(cond.X) != o || s.used(post.X) != o || s.changes[o] > 0 || s.shared[o] || !s.stays(cond.Y) {
		return nil, nil
	}
	return id, cond.Y
}

func (s *scenario) forStmt(n *ast.ForStmt, label string) {
	if id, end := s.counts(n); id != nil {
		s.line("loop: %s", inYAML(s.expr(end)))
		fmt.Fprintf(s.at.out, "%s  as: %s\n", strings.Repeat("  ", s.at.depth), s.variable(id))
		s.loop(label, false, func() { s.stmts(n.Body.List) })
		return
	}
	if n.Init != nil {
		s.stmt(n.Init, "")
	}
	s.line("loop: forever")
	s.loop(label, n.Post != nil, func() {
		if n.Cond != nil {
			s.line("{if: %s, then: [{break: true}]}", inYAML("!("+s.expr(n.Cond)+")"))
		}
		s.stmts(n.Body.List)
		if n.Post != nil {
			s.stmt(n.Post, "")
		}
	})
}

func (s *scenario) rangeStmt(n *ast.RangeStmt, label string) {
	key := ""
	if n.Key != nil {
		key = s.target(n.Key)
	}
	switch k := roleOf(s.info.TypeOf(n.X)); {
	case k == aNumber && (s.info.Types[n.X].Value != nil || s.stays(n.X)) && (n.Key == nil || s.changes[s.info.Defs[ident(n.Key)]] == 0):
		s.line("loop: %s", inYAML(s.expr(n.X)))
	case k == aChannel || s.isTimerChannel(n.X):
		s.line("range: %s", s.channel(n.X))
	default:
		s.refuse(n.X.Pos(), "range over %s", types.ExprString(n.X))
	}
	if key != "" {
		fmt.Fprintf(s.at.out, "%s  as: %s\n", strings.Repeat("  ", s.at.depth), key)
	}
	s.loop(label, false, func() { s.stmts(n.Body.List) })
}

func ident(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

func (s *scenario) isTimerChannel(e ast.Expr) bool {
	x, ok := e.(*ast.SelectorExpr)
	return ok && x.Sel.Name == "C"
}

// within counts a select or switch around statements: a break there ends it, not the loop.
func (s *scenario) within(write func()) {
	if n := len(s.at.loops); n > 0 {
		s.at.loops[n-1].selects++
		defer func() { s.at.loops[n-1].selects-- }()
	}
	write()
}

func (s *scenario) switchStmt(n *ast.SwitchStmt) {
	if n.Init != nil {
		s.stmt(n.Init, "")
	}
	tag := ""
	if n.Tag != nil {
		tag = s.temp("v")
		s.line("{set: %s, to: %s}", tag, inYAML(s.expr(n.Tag)))
	}
	var cases []*ast.CaseClause
	var rest *ast.CaseClause
	for _, c := range n.Body.List {
		if c := c.(*ast.CaseClause); c.List == nil {
			rest = c
		} else {
			cases = append(cases, c)
		}
	}
	s.within(func() { s.cases(tag, cases, rest) })
}

func (s *scenario) cases(tag string, cases []*ast.CaseClause, rest *ast.CaseClause) {
	if len(cases) == 0 {
		if rest != nil {
			s.stmts(rest.Body)
		}
		return
	}
	var any []string
	for _, e := range cases[0].List {
		before := s.at.out.Len()
		value := s.expr(e)
		if s.at.out.Len() != before {
			s.refuse(e.Pos(), "a receive or a call in a case")
		}
		if tag != "" {
			value = tag + " == (" + value + ")"
		}
		any = append(any, value)
	}
	s.line("if: %s", inYAML(strings.Join(any, " || ")))
	s.list("then", func() { s.stmts(cases[0].Body) })
	if len(cases) > 1 || rest != nil {
		s.list("else", func() { s.cases(tag, cases[1:], rest) })
	}
}

func (s *scenario) selectStmt(n *ast.SelectStmt) {
	// what the cases are about comes first: a timer for time.After is made before the select
	var heads []string
	var rest *ast.CommClause
	for _, c := range n.Body.List {
		c := c.(*ast.CommClause)
		heads = append(heads, s.caseHead(c))
		if c.Comm == nil {
			rest = c
		}
	}
	if len(heads) == 0 || len(heads) == 1 && rest != nil {
		s.line("select: []")
	} else {
		s.line("select:")
	}
	s.within(func() {
		s.at.depth += 2
		for i, c := range n.Body.List {
			if c := c.(*ast.CommClause); c.Comm != nil {
				s.line("%s", heads[i])
				s.list("do", func() { s.stmts(c.Body) })
			}
		}
		s.at.depth -= 2
		if rest != nil {
			s.list("default", func() { s.stmts(rest.Body) })
		}
	})
}

// caseHead returns the lines of a case before its body.
func (s *scenario) caseHead(c *ast.CommClause) string {
	more := "\n" + strings.Repeat("  ", s.at.depth+3)
	switch n := c.Comm.(type) {
	case nil:
		return ""
	case *ast.SendStmt:
		head := "send: " + s.channel(n.Chan)
		if v := s.expr(n.Value); v != "0" {
			head += more + "value: " + inYAML(v)
		}
		return head
	case *ast.ExprStmt:
		if u, ok := n.X.(*ast.UnaryExpr); ok {
			return "recv: " + s.channel(u.X)
		}
	case *ast.AssignStmt:
		if u, ok := n.Rhs[0].(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			head := "recv: " + s.channel(u.X)
			if v := s.target(n.Lhs[0]); v != "" {
				head += more + "as: " + v
			}
			if len(n.Lhs) > 1 {
				if v := s.target(n.Lhs[1]); v != "" {
					head += more + "ok: " + v
				}
			}
			return head
		}
	}
	s.refuse(c.Pos(), "this case")
	return ""
}
