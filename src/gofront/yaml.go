package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"io"
	"sort"
	"strings"
	"time"
)

// A Go program as a scenario, where the scenario language can say it. What it cannot say is refused at its place: the first construct ends the
// translation.
//
// A function that is called or started is a program, and so is a literal behind `go` or in time.AfterFunc. Literals that are deferred or belong to a
// once stay where they are. Channels, locks and the like are declared at the top; a variable that several programs use is a shared integer, or
// an argument if nothing changes it.

// role says what a variable is in a scenario.
type role int

const (
	aNumber role = iota
	aChannel
	aMutex
	aRWMutex
	aWaitGroup
	aCond
	aOnce
	aContext
	aCancel
	aTimer
	aTicker
	aFunc // a timer that starts a program
	anAtomic
	noKind
)

type scenario struct {
	p        *program
	info     *types.Info
	name     map[types.Object]string // of what is declared at the top
	taken    map[string]bool
	lists    map[string][]string         // the top: "channels" …
	of       map[types.Object]role       // of those
	bound    map[types.Object]ast.Expr   // a parameter that always gets the same object
	passed   map[types.Object][]ast.Expr // all that it gets
	shared   map[types.Object]bool       // numbers that several programs use
	changes  map[types.Object]int        // assignments besides the declaration
	home     map[types.Object]ast.Node   // the program that declares a variable
	inLoop   map[types.Object]bool       // it is declared in a loop
	uses     map[ast.Node][]types.Object // variables of others that a literal uses
	programs []string                    // their text
	pending  []ast.Node                  // programs that are still to be written
	calls    map[ast.Node][]ast.Node     // which functions call which
	called   map[ast.Node]string         // the name of each
	cond     map[types.Object]bool
	at       *yamlProgram
}

type yamlProgram struct {
	node   ast.Node
	local  map[types.Object]string
	taken  map[string]bool
	out    *strings.Builder
	depth  int
	inside int // function literals that stay where they are
	loops  []loopAround
	temps  int
}

type loopAround struct {
	label   string
	selects int  // selects and switches around the statement, inside of the loop
	post    bool // something follows its body: a continue would leave it out
}

type cannot struct {
	pos  token.Pos
	what string
}

func (s *scenario) refuse(pos token.Pos, format string, args ...interface{}) {
	panic(cannot{pos, fmt.Sprintf(format, args...)})
}

// yaml writes the scenario, without its name and its scheduler. It does not return if there is something that a scenario cannot say.
func (p *program) yaml(l *loader, pkg *types.Package, out io.Writer) {
	defer func() {
		err := recover()
		if c, ok := err.(cannot); ok {
			p.messages = []message{{at: p.fset.Position(c.pos), text: "a scenario cannot say this: " + c.what}}
			p.exitWith(exitRefused)
		} else if err != nil {
			p.fault(fmt.Sprint(err))
		}
	}()
	s := &scenario{p: p, info: p.infos[pkg], name: map[types.Object]string{}, taken: map[string]bool{}, lists: map[string][]string{},
		of: map[types.Object]role{}, bound: map[types.Object]ast.Expr{}, passed: map[types.Object][]ast.Expr{}, shared: map[types.Object]bool{}, changes: map[types.Object]int{},
		home: map[types.Object]ast.Node{}, inLoop: map[types.Object]bool{}, uses: map[ast.Node][]types.Object{}, called: map[ast.Node]string{}, calls: map[ast.Node][]ast.Node{},
		cond: map[types.Object]bool{}}
	for _, word := range []string{"nil", "true", "false", "forever", "goid"} {
		s.taken[word] = true
	}
	main, _ := pkg.Scope().Lookup("main").(*types.Func)
	if main == nil {
		s.refuse(l.files[0].Pos(), "a package without main")
	}
	for _, f := range l.files {
		s.look(f)
	}
	s.checkPassed()
	s.findObjects(l.files)
	s.start(p.decls[main], "main")
	for len(s.pending) > 0 {
		node := s.pending[0]
		s.pending = s.pending[1:]
		s.program(node)
	}
	for _, key := range []string{"channels", "mutexes", "rwmutexes", "waitgroups", "conds", "onces", "contexts", "shared"} {
		if len(s.lists[key]) > 0 {
			fmt.Fprintf(out, "%s: [%s]\n", key, strings.Join(s.lists[key], ", "))
		}
	}
	fmt.Fprintf(out, "goroutines:\n%s", strings.Join(s.programs, ""))
}

// ---- what there is ----

// own says whether the literal is a program of its own, given what is around it.
func ownProgram(around []ast.Node) bool {
	call, ok := around[len(around)-1].(*ast.CallExpr)
	if !ok {
		return false
	}
	if len(around) > 1 {
		if g, ok := around[len(around)-2].(*ast.GoStmt); ok && g.Call == call {
			return true
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "AfterFunc"
}

// look notes which program each variable belongs to, who else uses it, and what changes.
func (s *scenario) look(f *ast.File) {
	var around []ast.Node
	home := func() ast.Node {
		for i := len(around) - 1; i >= 0; i-- {
			switch n := around[i].(type) {
			case *ast.FuncDecl:
				return n
			case *ast.FuncLit:
				if ownProgram(around[:i]) {
					return n
				}
			}
		}
		return nil
	}
	change := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && s.info.Uses[id] != nil {
			s.changes[s.info.Uses[id]]++
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.Ident:
			if o, ok := s.info.Defs[n].(*types.Var); ok {
				s.home[o] = home()
				for _, a := range around {
					switch a.(type) {
					case *ast.ForStmt, *ast.RangeStmt:
						s.inLoop[o] = true
					}
				}
			}
			if o, ok := s.info.Uses[n].(*types.Var); ok && !o.IsField() {
				if h := home(); h != s.home[o] {
					s.uses[h] = append(s.uses[h], o)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					change(e)
				}
			} else {
				for _, e := range n.Lhs {
					change(e) // one of several may be old
				}
			}
		case *ast.IncDecStmt:
			if f, ok := around[len(around)-1].(*ast.ForStmt); !ok || f.Post != n || s.p.minor() < 22 { // each turn has its own
				change(n.X)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				change(n.Key)
				change(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X)
			}
		case *ast.CallExpr:
			s.bind(n)
		}
		around = append(around, n)
		return true
	})
}

// bind notes which object a parameter stands for.
func (s *scenario) bind(call *ast.CallExpr) {
	sig, ok := s.info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i := 0; i < sig.Params().Len() && i < len(call.Args); i++ {
		o := sig.Params().At(i)
		if k := roleOf(o.Type()); k == aNumber || k == aChannel || k == noKind || o.Pkg() == nil || o.Pkg().Path() != "main" {
			continue
		}
		arg := call.Args[i]
		if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
			arg = u.X
		}
		if _, ok := arg.(*ast.Ident); !ok {
			s.refuse(arg.Pos(), "%s is passed to a function", types.ExprString(arg))
		}
		if s.bound[o] == nil {
			s.bound[o] = arg
		}
		s.passed[o] = append(s.passed[o], arg)
	}
}

// checkPassed refuses a parameter that gets one object here and another one there.
func (s *scenario) checkPassed() {
	for o, list := range s.passed {
		for _, arg := range list {
			if s.through(s.used(arg)) != s.through(o) {
				s.refuse(arg.Pos(), "%s is passed to a function that gets another one elsewhere", types.ExprString(arg))
			}
		}
	}
}

func roleOf(t types.Type) role {
	whole := t
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if a, ok := t.(*types.Array); ok {
		t = a.Elem()
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
		case "sync.Mutex":
			return aMutex
		case "sync.RWMutex":
			return aRWMutex
		case "sync.WaitGroup":
			return aWaitGroup
		case "sync.Cond":
			return aCond
		case "sync.Once":
			return aOnce
		case "context.Context":
			return aContext
		case "context.CancelFunc":
			return aCancel
		case "time.Timer":
			return aTimer
		case "time.Ticker":
			return aTicker
		case "sync/atomic.Int64":
			return anAtomic
		case "time.Duration":
			return noKind
		}
	}
	if n, ok := whole.(*types.Named); ok && whole.Underlying() != nil {
		if _, isChan := n.Underlying().(*types.Chan); isChan {
			whole = n.Underlying()
		}
	}
	switch u := whole.(type) { // a type with a name may have a method String
	case *types.Basic:
		if u.Kind() == types.Int || u.Kind() == types.Int64 || u.Kind() == types.Bool || u.Kind() == types.UntypedInt || u.Kind() == types.UntypedBool {
			return aNumber
		}
	case *types.Chan:
		if e, ok := u.Elem().Underlying().(*types.Struct); ok && e.NumFields() == 0 {
			return aChannel
		}
		if e := roleOf(u.Elem()); e == aNumber || e == aChannel {
			return aChannel
		}
	}
	return noKind
}

var listOf = map[role]string{aMutex: "mutexes", aRWMutex: "rwmutexes", aWaitGroup: "waitgroups", aOnce: "onces", aContext: "contexts", anAtomic: "shared"}

func free(taken map[string]bool, name string, more map[string]bool) string {
	base := name
	for n := 2; taken[name] || more[name]; n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	return name
}

// declare puts an object at the top.
func (s *scenario) declare(o types.Object, k role, list, form string) {
	if s.inLoop[o] || s.home[o] != nil && !s.isMain(s.home[o]) {
		s.refuse(o.Pos(), "%s is made more than once: a loop, or a function that is not main", o.Name())
	}
	name := free(s.taken, o.Name(), nil)
	s.taken[name] = true
	s.name[o], s.of[o] = name, k
	if a, ok := o.Type().(*types.Array); ok && list != "" {
		form = fmt.Sprintf("{name: %%s, count: %d}", a.Len())
	}
	if list != "" {
		s.lists[list] = append(s.lists[list], fmt.Sprintf(form, name))
	}
}

func (s *scenario) isMain(n ast.Node) bool {
	f, ok := n.(*ast.FuncDecl)
	return ok && f.Name.Name == "main" && f.Recv == nil
}

// findObjects declares what main and the package declare, in the order of the files, and the numbers that several programs use.
func (s *scenario) findObjects(files []*ast.File) {
	made := map[types.Object]*ast.CallExpr{}
	note := func(names []ast.Expr, values []ast.Expr) {
		for i, n := range names {
			id, ok := n.(*ast.Ident)
			if ok && s.info.Defs[id] != nil && len(values) == len(names) {
				if call, ok := values[i].(*ast.CallExpr); ok {
					made[s.info.Defs[id]] = call
				}
			}
		}
	}
	var all []types.Object
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					note(n.Lhs, n.Rhs)
				}
			case *ast.ValueSpec:
				var names []ast.Expr
				for _, id := range n.Names {
					names = append(names, id)
				}
				note(names, n.Values)
			case *ast.FuncType:
				return false // parameters
			case *ast.Ident:
				if o, ok := s.info.Defs[n].(*types.Var); ok && !o.IsField() && n.Name != "_" {
					all = append(all, o)
				}
			}
			return true
		})
	}
	sort.SliceStable(all, func(i, j int) bool { return roleOf(all[i].Type()) < roleOf(all[j].Type()) }) // conds after their mutexes
	for _, o := range all {
		s.findObject(o, made[o])
	}
}

func (s *scenario) findObject(o types.Object, made *ast.CallExpr) {
	k := roleOf(o.Type())
	used := false
	for h, list := range s.uses {
		for _, u := range list {
			used = used || u == o && h != s.home[o]
		}
	}
	switch {
	case made != nil && s.builtin(made) == "recover":
		s.cond[o] = true
	case k == aCancel:
	case k == noKind:
		s.refuse(o.Pos(), "%s has the type %s", o.Name(), types.TypeString(o.Type(), types.RelativeTo(o.Pkg())))
	case k == aNumber && (s.home[o] == nil || used && s.changes[o] > 0):
		s.declare(o, k, "shared", "%s")
		s.shared[o] = true
	case k == aNumber:
	case k == aChannel && made != nil && s.builtin(made) == "make":
		form := "%s"
		var more []string
		if len(made.Args) > 1 {
			more = append(more, "buffer: "+s.constant(made.Args[1]))
		}
		if c := o.Type().Underlying().(*types.Chan); roleOf(c.Elem()) == aChannel {
			more = append(more, "of: channel")
		}
		if len(more) > 0 {
			form = "{name: %s, " + strings.Join(more, ", ") + "}"
		}
		s.declare(o, k, "channels", form)
	case k == aChannel:
		if s.home[o] == nil {
			s.refuse(o.Pos(), "%s is a variable of all programs that holds a channel", o.Name())
		}
	case k == aCond:
		if made == nil || s.function(made) != "sync.NewCond" {
			s.refuse(o.Pos(), "%s is not made by sync.NewCond", o.Name())
		}
		u, ok := made.Args[0].(*ast.UnaryExpr)
		if !ok {
			s.refuse(made.Args[0].Pos(), "a Cond whose lock is not a mutex")
		}
		s.declare(o, k, "conds", "{name: %s, mutex: "+s.object(u.X, aMutex)+"}")
	case k == aTimer && made != nil && s.function(made) == "time.AfterFunc":
		s.declare(o, aFunc, "", "%s")
	default:
		list := listOf[k]
		if k == anAtomic {
			s.shared[o] = true
		}
		s.declare(o, k, list, "%s")
	}
}

// ---- names ----

// function returns PACKAGE.NAME of a function of the library, TYPE.NAME of a method; "": it is another one.
func (s *scenario) function(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		o, ok := s.info.Uses[f.Sel].(*types.Func)
		if !ok || o.Pkg() == nil || o.Pkg().Path() == "main" {
			return ""
		}
		if recv := o.Type().(*types.Signature).Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := t.(*types.Named); ok {
				return n.Obj().Name() + "." + o.Name()
			}
			return ""
		}
		return o.Pkg().Path() + "." + o.Name()
	}
	return ""
}

func (s *scenario) builtin(call *ast.CallExpr) string {
	if id, ok := call.Fun.(*ast.Ident); ok {
		if b, ok := s.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

func (s *scenario) constant(e ast.Expr) string {
	tv := s.info.Types[e]
	if tv.Value == nil {
		s.refuse(e.Pos(), "%s is not a constant", types.ExprString(e))
	}
	if tv.Value.Kind() == constant.Bool {
		if constant.BoolVal(tv.Value) {
			return "1"
		}
		return "0"
	}
	v := constant.ToInt(tv.Value)
	if n, exact := constant.Int64Val(v); v.Kind() != constant.Int || !exact || n == -1<<63 {
		s.refuse(e.Pos(), "the number %s", tv.Value)
	}
	return v.ExactString()
}

func (s *scenario) duration(e ast.Expr) string {
	n := s.constant(e)
	if n == "0" {
		return "0s"
	}
	d, err := time.ParseDuration(n + "ns")
	if err != nil {
		s.refuse(e.Pos(), "the duration %s", n)
	}
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"}, {1, "ns"}} {
		if d%u.of == 0 {
			return fmt.Sprintf("%d%s", d/u.of, u.name)
		}
	}
	return n + "ns"
}

// object returns the name of a declared object: NAME or NAME[EXPR].
func (s *scenario) object(e ast.Expr, want ...role) string {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return s.object(x.X, want...)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return s.object(x.X, want...)
		}
	case *ast.IndexExpr:
		if _, ok := s.info.TypeOf(x.X).Underlying().(*types.Array); ok {
			return inYAML(s.object(x.X, want...) + "[" + s.expr(x.Index) + "]")
		}
	case *ast.Ident:
		o := s.info.Uses[x]
		if o == nil {
			o = s.info.Defs[x]
		}
		if b := s.bound[o]; b != nil {
			return s.object(b, want...)
		}
		for _, k := range want {
			if s.name[o] != "" && s.of[o] == k {
				return s.name[o]
			}
		}
	}
	s.refuse(e.Pos(), "%s: it is not declared by main or the package as a variable of its own", types.ExprString(e))
	return ""
}

// channel returns a declared channel, or a variable that holds one.
func (s *scenario) channel(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return s.channel(x.X)
	case *ast.Ident:
		o := s.info.Uses[x]
		if _, ok := o.(*types.Nil); ok {
			return "nil"
		}
		if v, ok := o.(*types.Var); ok && s.name[o] == "" && roleOf(v.Type()) == aChannel {
			return s.variable(x)
		}
	case *ast.SelectorExpr:
		if k := roleOf(s.info.TypeOf(x.X)); x.Sel.Name == "C" && (k == aTimer || k == aTicker) {
			return s.object(x.X, k)
		}
	case *ast.CallExpr:
		if s.function(x) == "Context.Done" {
			return s.object(x.Fun.(*ast.SelectorExpr).X, aContext)
		}
		if s.function(x) == "time.After" {
			t := s.temp("timeout")
			s.line("{timer: %s, as: %s}", s.duration(x.Args[0]), t)
			return t
		}
	}
	return s.object(e, aChannel)
}

// variable returns the name of a number in the program that is being written.
func (s *scenario) variable(id *ast.Ident) string {
	o := s.info.Uses[id]
	if o == nil {
		o = s.info.Defs[id]
	}
	if s.name[o] != "" && s.shared[o] {
		return s.name[o]
	}
	v, ok := o.(*types.Var)
	if s.cond[o] {
		return s.recovered(o)
	}
	if k := noKind; !ok || v.IsField() {
		s.refuse(id.Pos(), "%s", id.Name)
	} else if k = roleOf(v.Type()); k != aNumber && k != aChannel {
		s.refuse(id.Pos(), "%s has the type %s", id.Name, v.Type())
	}
	if s.at.local[o] == "" {
		if s.home[o] != s.at.node {
			s.refuse(id.Pos(), "%s is a variable of another function", id.Name)
		}
		name := free(s.taken, id.Name, s.at.taken)
		s.at.taken[name] = true
		s.at.local[o] = name
	}
	return s.at.local[o]
}

// temp returns a new name.
func (s *scenario) temp(name string) string {
	name = free(s.taken, name, s.at.taken)
	s.at.taken[name] = true
	return name
}

// ---- output ----

func (s *scenario) line(format string, args ...interface{}) {
	fmt.Fprintf(s.at.out, "%s- %s\n", strings.Repeat("  ", s.at.depth), fmt.Sprintf(format, args...))
}

// list writes KEY: and the operations that write writes below the operation at hand.
func (s *scenario) list(key string, write func()) {
	fmt.Fprintf(s.at.out, "%s  %s:\n", strings.Repeat("  ", s.at.depth), key)
	s.at.depth += 2
	before := s.at.out.Len()
	write()
	s.at.depth -= 2
	if s.at.out.Len() == before {
		text := strings.TrimSuffix(s.at.out.String(), "\n")
		s.at.out.Reset()
		s.at.out.WriteString(text + " []\n")
	}
}

// inYAML puts a word into quotes where YAML needs them.
func inYAML(text string) string {
	plain := text != ""
	for _, c := range text {
		plain = plain && (c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	if plain {
		return text
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return text
	}
	return strings.TrimSpace(b.String())
}
