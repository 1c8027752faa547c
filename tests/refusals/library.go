package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

func main() {
	var once sync.Once
	once.Reset() // want 7: once.Reset undefined (type sync.Once has no field or method Reset)
	var b strings.Builder
	b.Cap() // want 4: the method Cap of strings.Builder is not supported; supported are Grow, Len, Reset, String, Write, WriteByte, WriteRune, WriteString
	strings.ToValidUTF8("a", "") // want 10: strings.ToValidUTF8 is not supported; supported are … others, …
	strings.NewReaderr("a") // want 10: undefined: strings.NewReaderr
	fmt.Sscanf("1", "%d") // want 6: fmt.Sscanf is not supported; supported are Errorf, Fprint, Fprintf, Fprintln, GoStringer, Print, Printf, Println, Sprint, Sprintf, Sprintln, Stringer
	fmt.Printn("a") // want 6: undefined: fmt.Printn
	bytes.Trim(nil, "") // want 8: bytes.Trim is not supported; supported are Buffer, Clone, …, ToUpper
}
