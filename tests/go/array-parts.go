// Parts of elements of arrays that nothing but the function itself can reach, and new with a value.
package main

import "fmt"

type point struct {
	x    int
	at   [3]int
	next struct{ tags [2]string }
}

func main() {
	var grid [2][3]int
	for i := range 2 {
		for j := range 3 {
			grid[i][j] = i + j
			grid[i][0] += 10
		}
		grid[1][i]++
	}
	fmt.Println(grid)
	var points [3]point
	for i := range points {
		points[i].x = i * i
		points[i].at[2-i] = 7
		points[2-i].next.tags[i%2] = fmt.Sprint("tag", i)
		points[i].x, points[(i+1)%3].at[i] = points[i].x+1, i
	}
	fmt.Println(points)
	var deep [2][2][2]int
	k := 1
	deep[k][0][k] = 5
	deep[0][k][0], deep[k][k][k] = deep[k][0][k]+1, 8
	for deep[k][1][0] = range 3 {
	}
	fmt.Println(deep, len(deep[k]))
	other := deep
	other[k][k][k] = 0
	fmt.Println(deep[k][k][k], other == deep)
	p, s, e := new(42), new("text"), new(any(1.5))
	q := new(points[1])
	q.x = -1
	*p++
	fmt.Println(*p, *s, *e, q.x, points[1].x, *new(int), new(p) == nil, **new(p))
}
