// Constants: iota, untyped arithmetic, typed constants.
package main

import "fmt"

type weekday int

const (
	sunday weekday = iota
	monday
	tuesday
	_
	thursday
)

const (
	_  = iota
	kb = 1 << (10 * iota)
	mb
	gb
)

const (
	a, b = iota, iota * 10
	c, d
	e = "text"
	f
	g = iota
)

const (
	readable = 1 << iota
	writable
	executable
)

func (d weekday) String() string { return [...]string{"Sun", "Mon", "Tue", "Wed", "Thu"}[d] }

const huge = 1 << 200
const third = 1.0 / 3

func main() {
	fmt.Println(sunday, monday, thursday, thursday-monday, int(thursday))
	fmt.Println(kb, mb, gb)
	fmt.Println(a, b, c, d, e, f, g)
	fmt.Println(readable|executable, readable|writable|executable)
	fmt.Println(huge>>198, third, third*3 == 1, float32(third))
	const typed int8 = 100
	fmt.Println(typed/3, typed%3, -typed)
	var x float64 = 7 / 2
	var y float64 = 7 / 2.0
	fmt.Println(x, y, 7/2*2.0, 'a', 'a'*1.0, "s"+"t", len("héllo"), len([10]int{}))
	fmt.Println(0b1010, 0o17, 0xff, 1_000_000, 1e3, 0x1p-2, 'x', '\n', '\x41', '世', "\u4e16\t|", `raw\n`)
	const big = 9223372036854775807
	fmt.Println(uint64(big)*2+1, big%10)
	const complexLike = (1<<62 - 1) * 2
	fmt.Println(complexLike)
}
