// Dates and their texts. Real Go runs with the playground's time, which begins where ours does.
package main

import (
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	now := time.Now()
	fmt.Println(now.Year(), now.Month(), now.Day(), now.Weekday(), now.YearDay(), now.Hour(), now.Minute(), now.Second(), now.Format(time.RFC3339), now.Unix())
	var zero time.Time
	fmt.Println(zero, zero.Year(), zero.Weekday(), zero.Unix(), zero.IsZero(), zero.Format(time.Kitchen))
	for _, t := range []time.Time{
		time.Date(2024, time.February, 29, 13, 4, 5, 60700000, time.UTC), time.Date(1999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(2023, 14, -3, 25, 61, 61, -1, time.UTC), time.Unix(0, 0).UTC(), time.Unix(1700000000, 1500000000).UTC(), time.UnixMilli(-1).UTC(), time.Date(2081, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		fmt.Println(t, t.YearDay(), t.Weekday(), t.UnixMilli())
		for _, layout := range []string{time.Layout, time.ANSIC, time.UnixDate, time.RubyDate, time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z, time.RFC3339,
			time.RFC3339Nano, time.Kitchen, time.Stamp, time.StampMilli, time.StampMicro, time.StampNano, time.DateTime, time.DateOnly, time.TimeOnly,
			"2006-01-02T15:04:05.999999-07:00", "__2 002 _2 _2006 3pm 5.00 5,999 Jane Month Mon. 06 .0001", ""} {
			fmt.Printf("%s|", t.Format(layout))
		}
		fmt.Println()
		fmt.Println(t.Add(36*time.Hour), t.AddDate(1, 1, 1), t.AddDate(0, -1, 0), t.Truncate(time.Hour), t.Round(time.Minute), t.Truncate(time.Millisecond))
	}
	a, b := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println(b.Sub(a), a.Before(b), b.After(a), a.Equal(a.Add(0)), a == b, a.Compare(b), now.After(a), now.Round(0).Equal(now))
	y, m, d := b.Date()
	h, mi, s := b.Clock()
	fmt.Println(y, m, d, h, mi, s, b.Month() == time.March, time.UTC)
	time.Sleep(1500 * time.Millisecond)
	fmt.Println(time.Since(now).Round(100*time.Millisecond), time.Now().Format("15:04:05.0"))
	log.SetOutput(os.Stdout)
	log.SetFlags(log.LstdFlags | log.Lshortfile)
	log.Println("a line")
	log.New(os.Stdout, "own: ", log.Lshortfile|log.Lmsgprefix).Printf("%d", 1)
}
