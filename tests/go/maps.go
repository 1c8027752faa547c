// Maps: zero values, deletion, printing in order of the keys, keys of several types.
package main

import "fmt"

type point struct{ x, y int }

func main() {
	ages := map[string]int{"Zoe": 30, "Al": 25, "Mia": 41}
	fmt.Println(ages, len(ages), ages["nobody"])
	age, ok := ages["Al"]
	fmt.Println(age, ok)
	_, ok = ages["nobody"]
	fmt.Println(ok)
	delete(ages, "Al")
	delete(ages, "nobody")
	ages["Bo"]++
	ages["Bo"] += 5
	fmt.Println(ages)
	grid := map[point]string{{1, 2}: "b", {0, 5}: "a", {1, 0}: "c"}
	grid[point{0, 5}] += "!"
	fmt.Println(grid)
	lists := map[string][]int{}
	lists["a"] = append(lists["a"], 1)
	lists["a"] = append(lists["a"], 2)
	fmt.Println(lists)
	deep := map[string]map[string]int{"x": {"y": 1}}
	deep["x"]["z"] = 2
	fmt.Println(deep, deep["none"]["none"])
	anyKey := map[any]string{1: "int", "1": "string", 1.5: "float", point{1, 1}: "point", true: "bool"}
	fmt.Println(anyKey[1], anyKey["1"], anyKey[1.5], anyKey[point{1, 1}], anyKey[true], anyKey[int8(1)] == "")
	var none map[string]int
	fmt.Println(none == nil, len(none), none["a"])
	for range none {
		fmt.Println("never")
	}
	sum := 0
	for _, v := range ages {
		sum += v
	}
	fmt.Println(sum)
	same := ages
	same["new"] = 1
	fmt.Println(len(ages))
	clear(same)
	fmt.Println(ages)
	floats := map[float64]bool{2.5: true, -1: false}
	fmt.Printf("%v %T\n", floats, floats)
	bools := map[bool]int{true: 1, false: 0}
	fmt.Println(bools, map[[2]int]int{{2, 1}: 1, {1, 9}: 2})
}
