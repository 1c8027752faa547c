package main

import (
	"fmt"
	"time"
)

func main() {
	for _, d := range []time.Duration{0, 1, 999, 1000, 1500, 1e6 - 1, 1e6, 1234567, 1e9, 61e9, 90 * time.Minute, 3723*time.Second + 5*time.Millisecond,
		-1, -1500 * time.Millisecond, 1<<63 - 1, -1 << 63, 100 * time.Hour} {
		fmt.Println(d, d.Seconds(), d.Minutes(), d.Hours(), d.Milliseconds(), d.Microseconds(), d.Nanoseconds())
		fmt.Println(d.Round(time.Second), d.Truncate(time.Second), d.Round(7), d.Truncate(7), d.Round(0), d.Abs())
	}
	fmt.Printf("%v %s %d\n", 2*time.Second, time.Millisecond, time.Microsecond)
	var zero time.Time
	fmt.Println(zero.IsZero(), time.Now().IsZero(), zero.Before(time.Now()), time.Since(zero), zero.Sub(time.Now()))
	a := time.Now()
	time.Sleep(3 * time.Millisecond)
	b := time.Now()
	fmt.Println(b.After(a), b.Before(a), b.Equal(a), a.Compare(b), b.Sub(a) >= 3*time.Millisecond, a.Add(time.Hour).Sub(a))
	fmt.Println(time.Since(a).Round(time.Millisecond) >= 3*time.Millisecond, time.Until(b) <= 0)
}
