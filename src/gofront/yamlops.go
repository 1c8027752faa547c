package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// ---- expressions ----

var operators = map[token.Token]string{token.ADD: "+", token.SUB: "-", token.MUL: "*", token.QUO: "/", token.REM: "%", token.EQL: "==", token.NEQ: "!=",
	token.LSS: "<", token.LEQ: "<=", token.GTR: ">", token.GEQ: ">=", token.LAND: "&&", token.LOR: "||"}

// expr returns a number. What must run before it, a receive or a call, is written as operations of its own.
func (s *scenario) expr(e ast.Expr) string {
	if tv := s.info.Types[e]; tv.Value != nil {
		n := s.constant(e)
		if strings.HasPrefix(n, "-") {
			return "(" + n + ")"
		}
		return n
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return "(" + s.expr(x.X) + ")"
	case *ast.Ident:
		if roleOf(s.info.TypeOf(x)) == aNumber {
			return s.variable(x)
		}
	case *ast.CompositeLit:
		if t, ok := s.info.TypeOf(x).Underlying().(*types.Struct); ok && t.NumFields() == 0 {
			return "0"
		}
	case *ast.UnaryExpr:
		switch {
		case x.Op == token.SUB:
			return "-" + s.expr(x.X)
		case x.Op == token.NOT:
			return "!" + s.expr(x.X)
		case x.Op == token.ARROW:
			t := s.temp("v")
			s.line("{recv: %s, as: %s}", s.channel(x.X), t)
			return t
		}
	case *ast.BinaryExpr:
		if roleOf(s.info.TypeOf(x.X)) == aNumber && operators[x.Op] != "" {
			before := s.at.out.Len()
			left := s.expr(x.X)
			middle := s.at.out.Len()
			right := s.expr(x.Y)
			if s.at.out.Len() != middle && (x.Op == token.LAND || x.Op == token.LOR || middle == before && s.info.Types[x.X].Value == nil) {
				s.refuse(x.Pos(), "a receive or a call behind another operand; give it a variable of its own")
			}
			return left + " " + operators[x.Op] + " " + right
		}
	case *ast.CallExpr:
		t := s.temp("v")
		if s.call(x, t) {
			return t
		}
	}
	s.refuse(e.Pos(), "the value %s", types.ExprString(e))
	return ""
}

// ---- calls ----

var verbs = map[string]struct {
	verb string
	of   role
}{"Mutex.Lock": {"lock", aMutex}, "Mutex.Unlock": {"unlock", aMutex}, "RWMutex.Lock": {"wlock", aRWMutex}, "RWMutex.Unlock": {"wunlock", aRWMutex},
	"RWMutex.RLock": {"rlock", aRWMutex}, "RWMutex.RUnlock": {"runlock", aRWMutex}, "WaitGroup.Done": {"done", aWaitGroup},
	"WaitGroup.Wait": {"wait", aWaitGroup}, "Cond.Wait": {"cond_wait", aCond}, "Cond.Signal": {"signal", aCond}, "Cond.Broadcast": {"broadcast", aCond}}

var plain = map[string]string{"runtime.Gosched": "{yield: 1}", "runtime.Goexit": "{exit: true}", "runtime.LockOSThread": "{lock_os_thread: true}",
	"runtime.UnlockOSThread": "{unlock_os_thread: true}"}

func with(as string) string {
	if as == "" {
		return ""
	}
	return ", as: " + as
}

// call writes a call; as: the variable for its result, "": none. It returns false if there is no result.
func (s *scenario) call(x *ast.CallExpr, as string) bool {
	name := s.function(x)
	var on ast.Expr
	if sel, ok := x.Fun.(*ast.SelectorExpr); ok {
		on = sel.X
	}
	arg := func(i int) string { return inYAML(s.expr(x.Args[i])) }
	if v, ok := verbs[name]; ok {
		s.line("{%s: %s}", v.verb, s.object(on, v.of))
		return false
	}
	if text, ok := plain[name]; ok {
		s.line("%s", text)
		return false
	}
	switch name {
	case "Mutex.TryLock", "RWMutex.TryRLock", "RWMutex.TryLock":
		of := map[string]string{"Mutex.TryLock": "try_lock", "RWMutex.TryRLock": "try_rlock", "RWMutex.TryLock": "try_wlock"}[name]
		s.line("{%s: %s%s}", of, s.object(on, aMutex, aRWMutex), with(as))
		return true
	case "WaitGroup.Add":
		s.line("{add: %s, n: %s}", s.object(on, aWaitGroup), arg(0))
		return false
	case "Once.Do":
		f, ok := x.Args[0].(*ast.FuncLit)
		s.line("once: %s", s.object(on, aOnce))
		s.list("do", func() {
			if ok {
				s.literal(f)
			} else {
				s.call(&ast.CallExpr{Fun: x.Args[0], Lparen: x.Args[0].Pos()}, "")
			}
		})
		return false
	case "time.Sleep":
		s.line("{sleep: %s}", s.duration(x.Args[0]))
		return false
	case "Timer.Stop", "Ticker.Stop":
		s.line("{stop: %s%s}", s.object(on, aTimer, aTicker, aFunc), with(as))
		return name == "Timer.Stop"
	case "Timer.Reset", "Ticker.Reset":
		key := map[bool]string{true: "after", false: "every"}[name == "Timer.Reset"]
		s.line("{reset: %s, %s: %s%s}", s.object(on, aTimer, aTicker, aFunc), key, s.duration(x.Args[0]), with(as))
		return name == "Timer.Reset"
	case "time.AfterFunc":
		s.after(x, "")
		return false
	case "runtime.GOMAXPROCS":
		if as == "" {
			s.line("{gomaxprocs: %s}", arg(0))
			return false
		}
	case "math/rand.Intn", "math/rand.Int63n", "math/rand/v2.IntN", "math/rand/v2.Int64N", "math/rand/v2.N":
		if as == "" {
			as = s.temp("unused")
		}
		s.constant(x.Args[0])
		s.line("{rand: %s, n: %s}", as, arg(0))
		return true
	case "sync/atomic.AddInt64", "sync/atomic.LoadInt64", "sync/atomic.StoreInt64", "sync/atomic.CompareAndSwapInt64", "sync/atomic.SwapInt64":
		u, ok := x.Args[0].(*ast.UnaryExpr)
		id, is := (*ast.Ident)(nil), false
		if ok {
			id, is = u.X.(*ast.Ident)
		}
		if !is || !s.shared[s.info.Uses[id]] {
			s.refuse(x.Args[0].Pos(), "%s: it is no variable that several functions use", types.ExprString(x.Args[0]))
		}
		return s.atomic(strings.TrimSuffix(strings.TrimPrefix(name, "sync/atomic."), "Int64"), s.name[s.info.Uses[id]], x.Args[1:], as)
	case "Int64.Add", "Int64.Load", "Int64.Store", "Int64.CompareAndSwap", "Int64.Swap":
		return s.atomic(strings.TrimPrefix(name, "Int64."), s.object(on, anAtomic), x.Args, as)
	case "fmt.Println":
		s.print(x, nil)
		return false
	case "fmt.Printf":
		s.print(x, x.Args[0])
		return false
	}
	switch s.builtin(x) {
	case "close":
		s.line("{close: %s}", s.channel(x.Args[0]))
		return false
	case "panic":
		v := s.info.Types[x.Args[0]].Value
		if v == nil || v.Kind() != constant.String || s.info.TypeOf(x.Args[0]).String() != "string" && s.info.TypeOf(x.Args[0]).String() != "untyped string" {
			s.refuse(x.Args[0].Pos(), "a panic with another value than a text")
		}
		s.line("{panic: %s}", quotedText(constant.StringVal(v)))
		return false
	case "recover":
		s.line("{recover: true%s}", with(as))
		return true
	case "len":
		if roleOf(s.info.TypeOf(x.Args[0])) == aChannel && as != "" {
			s.line("{len: %s, as: %s}", s.channel(x.Args[0]), as)
			return true
		}
	case "":
		if id, ok := x.Fun.(*ast.Ident); ok {
			o := s.info.Uses[id]
			if f, ok := o.(*types.Func); ok && s.p.decls[f] != nil {
				args := s.args(x)
				s.calls[s.at.node] = append(s.calls[s.at.node], s.p.decls[f])
				if s.reaches(s.p.decls[f], s.at.node, map[ast.Node]bool{}) {
					s.refuse(x.Pos(), "a function that calls itself")
				}
				s.line("{call: %s%s%s}", s.start(s.p.decls[f], f.Name()), args, with(as))
				return f.Type().(*types.Signature).Results().Len() == 1
			}
			if k := roleOf(o.Type()); k == aCancel && s.name[s.through(o)] != "" {
				s.line("{cancel: %s}", s.name[s.through(o)])
				return false
			}
		}
		if tv := s.info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 && roleOf(tv.Type) == aNumber && roleOf(s.info.TypeOf(x.Args[0])) == aNumber && as != "" {
			s.line("{set: %s, to: %s}", as, arg(0)) // int and int64 are the same
			return true
		}
	}
	s.refuse(x.Pos(), "a call of %s", types.ExprString(x.Fun))
	return false
}

// reaches says that a function calls another one, as far as is known.
func (s *scenario) reaches(from, to ast.Node, seen map[ast.Node]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for _, n := range s.calls[from] {
		if !seen[n] && s.reaches(n, to, seen) {
			return true
		}
	}
	return false
}

// through follows a parameter to the object that it stands for.
func (s *scenario) through(o types.Object) types.Object {
	for n := 0; s.bound[o] != nil && n < 100; n++ { // a function that calls itself passes its own
		id, ok := s.bound[o].(*ast.Ident)
		if !ok {
			break
		}
		o = s.info.Uses[id]
	}
	return o
}

func (s *scenario) atomic(what, name string, args []ast.Expr, as string) bool {
	var v []string
	for _, a := range args {
		v = append(v, inYAML(s.expr(a)))
	}
	switch what {
	case "Add":
		s.line("{atomic: %s, n: %s%s}", name, v[0], with(as))
	case "Store", "Swap":
		s.line("{atomic: %s, to: %s%s}", name, v[0], with(as))
	case "CompareAndSwap":
		s.line("{atomic: %s, old: %s, to: %s%s}", name, v[0], v[1], with(as))
	default:
		if as == "" {
			as = s.temp("unused")
		}
		s.line("{atomic: %s, as: %s}", name, as)
	}
	return what != "Store"
}

// quotedText is a text that people read: always in quotes.
func quotedText(text string) string {
	q := inYAML(text)
	if strings.HasPrefix(q, "\"") {
		return q
	}
	return "\"" + q + "\""
}

// print writes what fmt.Println, or with a format fmt.Printf, prints as a line.
func (s *scenario) print(x *ast.CallExpr, format ast.Expr) {
	var text strings.Builder
	brace := strings.NewReplacer("{", "{{", "}", "}}")
	value := func(e ast.Expr) {
		if v := s.info.Types[e].Value; v != nil && v.Kind() == constant.String {
			text.WriteString(brace.Replace(constant.StringVal(v)))
			return
		}
		if b, ok := s.info.TypeOf(e).Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 || roleOf(s.info.TypeOf(e)) != aNumber {
			s.refuse(e.Pos(), "print prints texts and integers, and %s is a %s", types.ExprString(e), s.info.TypeOf(e))
		}
		text.WriteString("{" + s.expr(e) + "}")
	}
	if x.Ellipsis.IsValid() {
		s.refuse(x.Ellipsis, "arguments of a slice")
	}
	if format == nil {
		for i, e := range x.Args {
			if i > 0 {
				text.WriteString(" ")
			}
			value(e)
		}
	} else {
		f := s.info.Types[format].Value
		if f == nil || !strings.HasSuffix(constant.StringVal(f), "\n") {
			s.refuse(x.Pos(), "a fmt.Printf whose format is not a text with a new line at its end")
		}
		rest, args := strings.TrimSuffix(constant.StringVal(f), "\n"), x.Args[1:]
		for {
			i := strings.IndexByte(rest, '%')
			if i < 0 || i+1 == len(rest) {
				text.WriteString(brace.Replace(rest))
				break
			}
			text.WriteString(brace.Replace(rest[:i]))
			switch verb := rest[i+1]; {
			case verb == '%':
				text.WriteString("%")
			case len(args) > 0 && (verb == 'd' || verb == 'v' || verb == 's'):
				isText := s.info.Types[args[0]].Value != nil && s.info.Types[args[0]].Value.Kind() == constant.String
				if verb == 'd' && isText || verb == 's' && !isText {
					s.refuse(args[0].Pos(), "%%%c for %s", verb, types.ExprString(args[0]))
				}
				value(args[0])
				args = args[1:]
			default:
				s.refuse(format.Pos(), "a format with %s", rest[i:i+2])
			}
			rest = rest[i+2:]
		}
		if len(args) > 0 {
			s.refuse(args[0].Pos(), "an argument without a verb in the format")
		}
	}
	if strings.ContainsAny(text.String(), "\n\r") {
		s.refuse(x.Pos(), "several lines in one print")
	}
	s.line("{print: %s}", quotedText(text.String()))
}

// args returns what a call passes, without the objects that are known to be always the same.
func (s *scenario) args(x *ast.CallExpr) string {
	var args []string
	sig := s.info.TypeOf(x.Fun).(*types.Signature)
	if sig.Variadic() {
		s.refuse(x.Pos(), "a function with any number of arguments")
	}
	for i, a := range x.Args {
		switch o := sig.Params().At(i); {
		case s.bound[o] != nil:
		case roleOf(o.Type()) == aChannel:
			args = append(args, s.channel(a))
		default:
			args = append(args, inYAML(s.expr(a)))
		}
	}
	return s.withArgs(args)
}

func (s *scenario) withArgs(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return ", args: [" + strings.Join(args, ", ") + "]"
}

// start returns the name of the program that the function becomes.
func (s *scenario) start(node ast.Node, name string) string {
	if s.called[node] == "" {
		s.called[node] = free(s.taken, name, nil)
		s.taken[s.called[node]] = true
		s.pending = append(s.pending, node)
	}
	return s.called[node]
}

// captured returns the variables of others that the literal gets as arguments.
func (s *scenario) captured(f *ast.FuncLit) []types.Object {
	var list []types.Object
	seen := map[types.Object]bool{}
	for _, o := range s.uses[f] {
		k := roleOf(o.Type())
		if seen[o] || s.name[o] != "" || s.bound[o] != nil || s.home[o] == f || k != aNumber && k != aChannel {
			continue
		}
		seen[o] = true
		list = append(list, o)
	}
	return list
}

func (s *scenario) goStmt(n *ast.GoStmt) {
	f, ok := n.Call.Fun.(*ast.FuncLit)
	if !ok {
		id, ok := n.Call.Fun.(*ast.Ident)
		fn, is := types.Object(nil), false
		if ok {
			fn, is = s.info.Uses[id], true
		}
		if d, ok := fn.(*types.Func); is && ok && s.p.decls[d] != nil {
			args := s.args(n.Call)
			s.line("{go: %s%s}", s.start(s.p.decls[d], d.Name()), args)
			return
		}
		s.refuse(n.Pos(), "go with %s", types.ExprString(n.Call.Fun))
	}
	var args []string
	if list := s.args(n.Call); list != "" {
		args = append(args, strings.TrimSuffix(strings.TrimPrefix(list, ", args: ["), "]"))
	}
	for _, o := range s.captured(f) {
		if s.at.local[o] == "" || s.changes[o] > 0 {
			s.refuse(n.Pos(), "%s is not set before this, or changes after it", o.Name())
		}
		args = append(args, s.at.local[o])
	}
	s.line("{go: %s%s}", s.start(f, s.called[s.at.node]+"_func"), s.withArgs(args))
}

func (s *scenario) after(x *ast.CallExpr, as string) {
	name := ""
	switch f := x.Args[1].(type) {
	case *ast.FuncLit:
		if list := s.captured(f); len(list) > 0 {
			s.refuse(f.Pos(), "a function of a timer that uses %s of another one", list[0].Name())
		}
		name = s.start(f, s.called[s.at.node]+"_func")
	case *ast.Ident:
		if d, ok := s.info.Uses[f].(*types.Func); ok && s.p.decls[d] != nil {
			name = s.start(s.p.decls[d], d.Name())
		}
	}
	if name == "" {
		s.refuse(x.Args[1].Pos(), "a timer that starts %s", types.ExprString(x.Args[1]))
	}
	s.line("{after: %s, go: %s%s}", s.duration(x.Args[0]), name, with(as))
}
