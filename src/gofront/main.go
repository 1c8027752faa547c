package main

import (
	"flag"
	"fmt"
	"os"
)

// Exit codes: the program has mistakes that Go finds, too; it has what we do not support; the fault is ours.
const (
	exitMistake = 2
	exitRefused = 3
	exitFault   = 1
)

func main() {
	stubs := flag.String("stubs", "", "the folder with the declarations of the standard library")
	test := flag.String("test", "", "run this test of a _test.go file")
	version := flag.String("go", "", "the language version: of the go line, or of the Go that would build the program")
	yaml := flag.Bool("yaml", false, "print the program as a scenario, without its name and scheduler")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: gofront -stubs DIR [-go VERSION] [-test NAME] FILE.go|DIR")
		os.Exit(exitMistake)
	}
	p := newProgram(*version)
	if *yaml {
		l := newLoader(p, *stubs)
		p.yaml(l, l.program(l.sources(flag.Args(), ""), ""), os.Stdout)
		return
	}
	p.limited(func() { p.translate(*stubs, *test, flag.Args()) })
	if err := p.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFault)
	}
}

// translate reads the program, checks it and lowers it. It does not return if there are mistakes.
func (p *program) translate(stubs, test string, args []string) {
	l := newLoader(p, stubs)
	names := l.sources(args, test)
	pkg := l.program(names, test)
	p.lowerAll(l, pkg, test)
	p.exitWith(exitRefused)
	p.noteCapacities(l.files, p.infos[pkg])
}

// limited does it, and says what it was about if the front end itself fails: the person sees a line, not a traceback.
func (p *program) limited(do func()) {
	defer func() {
		if err := recover(); err != nil {
			p.exitWith(exitRefused) // what was refused may be the reason
			p.fault(fmt.Sprint(err))
		}
	}()
	do()
}

// fault reports a mistake of the front end at the place where it was.
func (p *program) fault(what string) {
	where := "the program"
	if p.current != nil && p.current.by.IsValid() {
		where = p.fset.Position(p.current.by).String()
	}
	fmt.Fprintf(os.Stderr, "%s: this cannot be translated (%s); please report it\n", where, what)
	os.Exit(exitFault)
}
