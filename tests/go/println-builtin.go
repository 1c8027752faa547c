// The builtin functions print and println write to stderr.
package main

type point struct{ x int }

func main() {
	println("text", 1, -2, true, 'x', uint8(200))
	print("a", "b", 1, 2, "\n")
	println(1.5, 100.0, 1e100, float32(0.25), -0.5)
	println()
	var e error
	println(e == nil, len("abc"), point{3}.x, 1<<40)
	println(int8(-5), uint64(1<<63))
}
