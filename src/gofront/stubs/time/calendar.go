package time

// Dates. Here is one zone, UTC: the local one is no other.

type Location struct{ name string }

func (l *Location) String() string { return l.name }

var (
	UTC   = &Location{"UTC"}
	Local = &Location{"Local"}
)

const (
	toYear1 = 62135596800 // seconds from the first of January of the year 1 to 1970
	perDay  = 86400
)

// seconds since the beginning of the year 1.
func (t Time) seconds() int64 {
	if t.ns == 0 {
		return 0
	}
	return toYear1 + epoch + floor(t.since(), 1e9)
}

func floor(n, d int64) int64 {
	if n%d < 0 {
		return n/d - 1
	}
	return n / d
}

func (t Time) Nanosecond() int {
	n := t.since()
	return int(n - 1e9*floor(n, 1e9))
}

// daysBefore counts the days from the beginning of the year 1 to that of the year.
func daysBefore(year int) int {
	y := int64(year - 1)
	return int(365*y + floor(y, 4) - floor(y, 100) + floor(y, 400))
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func daysIn(m Month, year int) int {
	if m == February && isLeap(year) {
		return 29
	}
	return monthDays[m-1]
}

// date also returns the day of the year.
func (t Time) date() (year int, month Month, day, yearDay int) {
	days := int(t.seconds() / perDay)
	year = days/366 + 1
	for daysBefore(year+1) <= days {
		year++
	}
	yearDay = days - daysBefore(year)
	day, month = yearDay, January
	for day >= daysIn(month, year) {
		day -= daysIn(month, year)
		month++
	}
	return year, month, day + 1, yearDay + 1
}

func (t Time) Date() (year int, month Month, day int) {
	year, month, day, _ = t.date()
	return year, month, day
}

func (t Time) Clock() (hour, min, sec int) {
	s := int(t.seconds() % perDay)
	return s / 3600, s / 60 % 60, s % 60
}

func (t Time) Year() int        { y, _, _, _ := t.date(); return y }
func (t Time) Month() Month     { _, m, _, _ := t.date(); return m }
func (t Time) Day() int         { _, _, d, _ := t.date(); return d }
func (t Time) YearDay() int     { _, _, _, n := t.date(); return n }
func (t Time) Hour() int        { h, _, _ := t.Clock(); return h }
func (t Time) Minute() int      { _, m, _ := t.Clock(); return m }
func (t Time) Second() int      { _, _, s := t.Clock(); return s }
func (t Time) Weekday() Weekday { return Weekday((t.seconds()/perDay + 1) % 7) }

func (t Time) UTC() Time                { return t }
func (t Time) Local() Time              { return t }
func (t Time) In(loc *Location) Time    { return t }
func (t Time) Location() *Location      { return UTC }
func (t Time) Truncate(d Duration) Time { return t.Round(0).less(t.past(d)) }

// Round without a duration takes the monotonic reading away.
func (t Time) Round(d Duration) Time {
	if t.ns == 0 {
		return t
	}
	t = ofDate(t.since(), true)
	r := t.past(d)
	if d > 0 && uint64(r)+uint64(r) >= uint64(d) {
		return t.Add(d - r)
	}
	return t.less(r)
}

func (t Time) less(d Duration) Time { return t.Add(-d) }

// past is what t is past a multiple of d since the year 1.
func (t Time) past(d Duration) Duration {
	if d <= 0 {
		return 0
	}
	s, n := uint64(t.seconds()), uint64(t.Nanosecond())
	if Second%d == 0 {
		return Duration(n % uint64(d))
	}
	if d%Second == 0 {
		return Duration(s%uint64(d/Second))*Second + Duration(n)
	}
	refuse("Round and Truncate of a time.Time to such a duration")
	return 0
}

// Date takes months, days and parts of the day beyond their ranges.
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Date")
	}
	m := int64(month) - 1
	year += int(floor(m, 12))
	month = Month(m-12*floor(m, 12)) + 1
	days := daysBefore(year) + day - 1
	for i := January; i < month; i++ {
		days += daysIn(i, year)
	}
	s := int64(days)*perDay + int64(hour)*3600 + int64(min)*60 + int64(sec)
	return Unix(s-toYear1, int64(nsec))
}

func Unix(sec, nsec int64) Time {
	sec += floor(nsec, 1e9)
	if sec == -toYear1 && nsec == 0 {
		return Time{}
	}
	sec -= epoch
	return ofDate(sec*1e9+nsec-1e9*floor(nsec, 1e9), sec > -wall/1000000000 && sec < wall/1000000000)
}

func UnixMilli(n int64) Time { return Unix(floor(n, 1e3), (n-1e3*floor(n, 1e3))*1e6) }
func UnixMicro(n int64) Time { return Unix(floor(n, 1e6), (n-1e6*floor(n, 1e6))*1e3) }

func (t Time) AddDate(years, months, days int) Time {
	year, month, day := t.Date()
	hour, min, sec := t.Clock()
	return Date(year+years, month+Month(months), day+days, hour, min, sec, t.Nanosecond(), UTC)
}
