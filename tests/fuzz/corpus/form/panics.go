package main

type E struct{ k int }

func (e E) Error() string { return "e" }

func f(n int) (r int, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = E{n}
		}
	}()
	var p *int
	if n == 0 {
		return *p, nil
	}
	return n / (n - 1), nil
}

func main() {
	var mu chan bool = make(chan bool, 1)
	x := 0.5
	b := []byte("ab")
	for i := 0; i < 3; i++ {
		func() { mu <- true; defer func() { <-mu }(); x *= float64(i) + 1.5; b = append(b, byte(i)) }()
		r, err := f(i)
		if e, ok := err.(E); ok {
			println(e.k, r)
		}
	}
	var v any = x
	switch y := v.(type) {
	case int:
		println(y)
	case float64:
		println(int64(y), string(b))
	}
	panic(v)
}
