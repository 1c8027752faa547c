// Package strconv.
package main

import (
	"errors"
	"fmt"
	"strconv"
)

func main() {
	fmt.Println(strconv.Itoa(-45), strconv.FormatInt(255, 16), strconv.FormatInt(-5, 2), strconv.FormatUint(1<<63, 10), strconv.FormatBool(true))
	fmt.Println(strconv.Quote("a\"b\té\x00"), strconv.QuoteRune('x'), strconv.FormatFloat(1.5, 'f', 3, 64), strconv.FormatFloat(1e21, 'g', -1, 64))
	for _, s := range []string{"42", "-7", "+5", "", "4x", "99999999999999999999", " 1", "1_000", "0x10"} {
		n, err := strconv.Atoi(s)
		fmt.Println(n, err)
	}
	n, err := strconv.ParseInt("ff", 16, 64)
	fmt.Println(n, err)
	n, err = strconv.ParseInt("300", 10, 8)
	fmt.Println(n, err)
	n, err = strconv.ParseInt("0x1F", 0, 64)
	fmt.Println(n, err)
	u, err := strconv.ParseUint("-1", 10, 64)
	fmt.Println(u, err)
	b, err := strconv.ParseBool("true")
	fmt.Println(b, err)
	b, err = strconv.ParseBool("maybe")
	fmt.Println(b, err)
	f, err := strconv.ParseFloat("2.5e3", 64)
	fmt.Println(f, err)
	f, err = strconv.ParseFloat("abc", 64)
	fmt.Println(f, err)
	_, err = strconv.Atoi("x")
	var e *strconv.NumError
	fmt.Println(errors.Is(err, strconv.ErrSyntax), errors.As(err, &e), e.Func, e.Num)
	s, err := strconv.Unquote(`"a\tb"`)
	fmt.Println(s, err)
	fmt.Println(string(strconv.AppendInt([]byte("n="), 7, 10)))
}
