package main

func main() {
	x :=
} // want 1: syntax error: expected operand, found '}'
