// break, continue and goto with labels.
package main

import "fmt"

func main() {
outer:
	for i := 0; i < 4; i++ {
		for j := 0; ; j++ {
			switch {
			case j == 3:
				continue outer
			case i == 2:
				break outer
			case j == 1:
				continue
			}
			fmt.Println(i, j)
		}
	}
	n := 0
again:
	n++
	if n < 3 {
		goto again
	}
	fmt.Println("n is", n)
sw:
	switch n {
	case 3:
		for {
			break sw
		}
		fmt.Println("not here")
	}
	for i := range 3 {
		switch i {
		case 0:
			fmt.Println("zero")
			fallthrough
		case 1:
			fmt.Println("zero or one")
		default:
			break
		}
	}
	goto end
end:
	fmt.Println("end")
}
