// Prints where the fields of Go's runtime lie in a program that has DWARF: the release, then the numbers of a row of src/attach/layout.c in its order.
//
//	go run tests/go/layouts/measure.go PROGRAM
package main

import (
	"debug/buildinfo"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"log"
	"os"
	"strings"
)

var fields = map[string]map[string]int64{}

func read(path string) {
	f, err := elf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	d, err := f.DWARF()
	if err != nil {
		log.Fatal(err)
	}
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil {
			log.Fatal(err)
		}
		if e == nil {
			return
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		if e.Tag != dwarf.TagStructType || !strings.HasPrefix(name, "runtime.") {
			continue
		}
		t, err := d.Type(e.Offset)
		if err != nil {
			log.Fatal(err)
		}
		s, ok := t.(*dwarf.StructType)
		if !ok {
			continue
		}
		at := map[string]int64{}
		for _, x := range s.Field {
			at[x.Name] = x.ByteOffset
		}
		fields[strings.TrimPrefix(name, "runtime.")] = at
	}
}

// The offset of the first of these fields that the release has; 0: it has none.
func at(of string, names ...string) int64 {
	for _, name := range names {
		sum, have, in := int64(0), true, of
		for _, part := range strings.Split(name, ".") {
			n, ok := fields[in][part]
			sum, have = sum+n, have && ok
			in = map[string]string{"idleNode": "listNodeManual", "midle": "listHeadManual", "runq": "gQueue"}[part]
		}
		if have {
			return sum
		}
	}
	return 0
}

func main() {
	info, err := buildinfo.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	read(os.Args[1])
	fmt.Print(strings.Split(info.GoVersion, ".")[1])
	for _, name := range []string{"m", "atomicstatus", "goid", "schedlink", "waitreason", "startpc", "parentGoid"} {
		fmt.Print(" ", at("g", name))
	}
	for _, name := range []string{"g0", "procid", "mstartfn", "curg", "p", "id", "spinning", "blocked"} {
		fmt.Print(" ", at("m", name))
	}
	fmt.Print(" ", at("m", "idleNode.next", "schedlink"), " ", at("m", "alllink"), " ", at("m", "lockedg"))
	for _, name := range []string{"m", "runqhead", "runnext"} {
		fmt.Print(" ", at("p", name))
	}
	for _, name := range []string{"lock", "midle", "nmidle", "mnext", "maxmcount", "pidle", "npidle", "nmspinning", "needspinning", "runq"} {
		fmt.Print(" ", at("schedt", name))
	}
	fmt.Println("", at("schedt", "runqsize", "runq.size"))
}
