package main

import (
	"fmt"
	"time"
)

func main() {
	for _, s := range []string{"0", "-0", "+0", "", "-", "5s", "1h15m30.918273645s", "-1.5h", "+.5m", "1.s", ".s", "3", "3x", "3 s", "1us2µs3μs", "1.00000000000000000000001ns",
		"9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns", "-9223372036854775809ns", "99999999999999999999h", "3000000h", "0.3333333333333333333h",
		"1h-2m", "s", "1m2", "\"\\\n", "1é", "1e3s", "2562047h47m16.854775807s", "0.9223372036854775807999s", "1.5.5s", "100ms5", "0.000000000001s"} {
		d, err := time.ParseDuration(s)
		fmt.Printf("%v %v %T\n", d, err, err)
	}
	fmt.Println(time.January, time.December, time.Month(0), time.Month(13), time.Sunday, time.Saturday, time.Weekday(7))
	fmt.Printf("%d %v %s %q\n", time.May, time.March, time.Friday, time.Tuesday)
}
