// Durations: arithmetic, conversion, printing.
package main

import (
	"fmt"
	"time"
)

func main() {
	d := 90*time.Minute + 30*time.Second + 5*time.Millisecond
	fmt.Println(d, d.Hours() > 1.5, d.Minutes() > 90, d.Milliseconds(), d.Microseconds(), d.Nanoseconds(), d.Seconds())
	fmt.Println(time.Duration(0), time.Duration(1), time.Duration(1500), 1500*time.Microsecond, 2*time.Second, -time.Minute, 100*time.Hour)
	fmt.Println(d.Round(time.Minute), d.Truncate(time.Hour), (-d).Abs())
	n := 3
	fmt.Println(time.Duration(n)*time.Second, time.Second*2/4, time.Second > time.Millisecond, d/time.Second, d%time.Second)
	fmt.Printf("%v %s %d %T %.1f\n", d, d, time.Microsecond, d, time.Second.Seconds())
	start := time.Now()
	time.Sleep(30 * time.Millisecond)
	took := time.Since(start)
	fmt.Println(took >= 30*time.Millisecond, took < 5*time.Second, time.Now().After(start), start.Before(time.Now()))
	fmt.Println(start.Add(time.Second).Sub(start), start.Equal(start), start.IsZero(), time.Time{}.IsZero(), time.Until(start) < 0)
	type limits struct{ read, write time.Duration }
	fmt.Println(limits{time.Second, 250 * time.Millisecond}, []time.Duration{1, 1000})
}
