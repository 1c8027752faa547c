// An uncaught panic runs the deferred calls and ends the program.
package main

import "fmt"

type account struct{ balance int }

func (a *account) withdraw(n int) {
	if n > a.balance {
		panic(fmt.Sprintf("cannot withdraw %d of %d", n, a.balance))
	}
	a.balance -= n
}

func main() {
	defer fmt.Println("deferred calls run")
	a := &account{10}
	a.withdraw(4)
	fmt.Println("left:", a.balance)
	a.withdraw(7)
	fmt.Println("not reached")
}
