// Package time: durations, and the runtime's timers. The clock of a run begins at 0.
package time

type Duration int64

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

const (
	longest  Duration = 1<<63 - 1
	shortest Duration = -1 << 63
)

func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) Microseconds() int64 { return int64(d) / 1e3 }
func (d Duration) Milliseconds() int64 { return int64(d) / 1e6 }

func (d Duration) in(unit Duration) float64 {
	return float64(d/unit) + float64(d%unit)/float64(unit)
}
func (d Duration) Seconds() float64 { return d.in(Second) }
func (d Duration) Minutes() float64 { return d.in(Minute) }
func (d Duration) Hours() float64   { return d.in(Hour) }

func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

// Round goes away from zero at halves, and stays at the ends of the range.
func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	r := d % m
	if d < 0 {
		r = -r
		if uint64(r)+uint64(r) < uint64(m) {
			return d + r
		}
		if n := d - m + r; n < d {
			return n
		}
		return shortest
	}
	if uint64(r)+uint64(r) < uint64(m) {
		return d - r
	}
	if n := d + m - r; n > d {
		return n
	}
	return longest
}

func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case d == shortest:
		return longest
	}
	return -d
}

func digits(n uint64) string {
	s := ""
	for ; n >= 10; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return string(rune('0'+n)) + s
}

// decimal is n/unit, without zeros at its end.
func decimal(n, unit uint64) string {
	s := digits(n / unit)
	if n %= unit; n == 0 {
		return s
	}
	s += "."
	for n > 0 {
		unit /= 10
		s += digits(n / unit)
		n %= unit
	}
	return s
}

func (d Duration) String() string {
	n, sign := uint64(d), ""
	if d < 0 {
		n, sign = -n, "-"
	}
	switch {
	case n == 0:
		return "0s"
	case n < uint64(Microsecond):
		return sign + digits(n) + "ns"
	case n < uint64(Millisecond):
		return sign + decimal(n, uint64(Microsecond)) + "µs"
	case n < uint64(Second):
		return sign + decimal(n, uint64(Millisecond)) + "ms"
	}
	s := decimal(n%uint64(Minute), uint64(Second)) + "s"
	if m := n / uint64(Minute); m > 0 {
		s = digits(m%60) + "m" + s
		if m >= 60 {
			s = digits(m/60) + "h" + s
		}
	}
	return sign + s
}

const tooMany = 1 << 63 // nanoseconds

// number takes the digits that s begins with; past is ten to their number. Digits of a fraction that no longer fit are left out.
func number(s string, fraction bool) (n uint64, past float64, rest string, fits bool) {
	past, fits = 1, true
	for full := false; s != "" && s[0] >= '0' && s[0] <= '9'; s = s[1:] {
		full = full || n > tooMany/10 || n*10+uint64(s[0]-'0') > tooMany || fraction && n > (tooMany-1)/10
		if !full {
			n = n*10 + uint64(s[0]-'0')
			past *= 10
		}
		fits = fits && (!full || fraction)
	}
	return n, past, s, fits
}

func unitOf(name string) uint64 {
	switch name {
	case "ns":
		return uint64(Nanosecond)
	case "us", "µs", "μs":
		return uint64(Microsecond)
	case "ms":
		return uint64(Millisecond)
	case "s":
		return uint64(Second)
	case "m":
		return uint64(Minute)
	case "h":
		return uint64(Hour)
	}
	return 0
}

func quoted(s string) string {
	out := ""
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out += "\\" + s[i:i+1]
		case c < ' ' || c >= 0x80:
			out += "\\x" + "0123456789abcdef"[c>>4:][:1] + "0123456789abcdef"[c&15:][:1]
		default:
			out += s[i : i+1]
		}
	}
	return `"` + out + `"`
}

type parseDurationError struct{ text string }

func (e *parseDurationError) Error() string { return e.text }

// ParseDuration adds up numbers with units.
func ParseDuration(text string) (Duration, error) {
	s, sum := text, uint64(0)
	invalid := func() (Duration, error) { return 0, &parseDurationError{"time: invalid duration " + quoted(text)} }
	negative := s != "" && s[0] == '-'
	if negative || s != "" && s[0] == '+' {
		s = s[1:]
	}
	if s == "0" {
		return 0, nil
	}
	for first := true; first || s != ""; first = false {
		whole, _, rest, fits := number(s, false)
		digits, part, past := len(s)-len(rest), uint64(0), 1.0
		if fits && rest != "" && rest[0] == '.' {
			s = rest[1:]
			part, past, rest, _ = number(s, true)
			digits += len(s) - len(rest)
		}
		if !fits || digits == 0 {
			return invalid()
		}
		end := 0
		for end < len(rest) && rest[end] != '.' && (rest[end] < '0' || rest[end] > '9') {
			end++
		}
		unit := unitOf(rest[:end])
		switch {
		case end == 0:
			return 0, &parseDurationError{"time: missing unit in duration " + quoted(text)}
		case unit == 0:
			return 0, &parseDurationError{"time: unknown unit " + quoted(rest[:end]) + " in duration " + quoted(text)}
		case whole > tooMany/unit:
			return invalid()
		}
		whole = whole*unit + uint64(float64(part)*(float64(unit)/past))
		if sum += whole; whole > tooMany || sum > tooMany {
			return invalid()
		}
		s = rest[end:]
	}
	switch {
	case negative:
		return -Duration(sum), nil
	case sum == tooMany:
		return invalid()
	}
	return Duration(sum), nil
}

type Month int

const (
	January Month = 1 + iota
	February
	March
	April
	May
	June
	July
	August
	September
	October
	November
	December
)

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
)

func (m Month) String() string {
	names := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	if m < January || m > December {
		return "%!Month(" + digits(uint64(m)) + ")"
	}
	return names[m-1]
}

func (d Weekday) String() string {
	names := []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	if d < Sunday || d > Saturday {
		return "%!Weekday(" + digits(uint64(d)) + ")"
	}
	return names[d]
}

func sleep(d Duration)
func now() int64
func refuse(what string)

// A timer is known by its channel, or by a number if it calls a function.
func startTimer(c chan Time, d Duration, every bool)
func stopTimer(c <-chan Time) bool
func resetTimer(c <-chan Time, d Duration) bool
func startFunc(d Duration, f func()) int
func stopFunc(n int) bool
func resetFunc(n int, d Duration) bool

func Sleep(d Duration) { sleep(d) }

// Time is a moment of the run: the nanoseconds since it began. Of a time that is made from a date, or has lost its monotonic reading, they are higher by
// `wall`. Zero is Go's zero time.
type Time struct{ ns int64 }

const (
	epoch = 1257894000 // seconds since 1970: when a run begins, as on the Go playground
	wall  = 1 << 62
)

func Now() Time             { return Time{now()} }
func Since(t Time) Duration { return Now().Sub(t) }
func Until(t Time) Duration { return t.Sub(Now()) }

func (t Time) monotonic() bool { return t.ns != 0 && t.ns < wall/2 }

// since is the time since the run began.
func (t Time) since() int64 {
	if t.ns == 0 || t.monotonic() {
		return t.ns
	}
	return t.ns - wall
}

// ofDate is the time n nanoseconds after the beginning, without a monotonic reading.
func ofDate(n int64, fits bool) Time {
	if !fits || n <= -wall/2 || n >= wall/2 {
		refuse("a time.Time before 1937 or after 2081")
	}
	return Time{n + wall}
}

func (t Time) Sub(u Time) Duration {
	switch {
	case t.ns == u.ns:
		return 0
	case u.ns == 0:
		return longest
	case t.ns == 0:
		return shortest
	}
	return Duration(t.since() - u.since())
}

func (t Time) Add(d Duration) Time {
	switch n := t.since() + int64(d); {
	case d == 0:
		return t
	case t.ns == 0:
		refuse("time.Time: Add to the zero time")
		return t
	case !t.monotonic():
		return ofDate(n, (d > 0) == (n > t.since()))
	case d > 0 && n < t.ns:
		return Time{int64(longest)}
	default:
		return Time{n}
	}
}

func (t Time) After(u Time) bool  { return t.Compare(u) > 0 }
func (t Time) Before(u Time) bool { return t.Compare(u) < 0 }
func (t Time) Equal(u Time) bool  { return t.Compare(u) == 0 }

func (t Time) Compare(u Time) int {
	switch {
	case t.ns == u.ns || t.ns != 0 && u.ns != 0 && t.since() == u.since():
		return 0
	case u.ns == 0 || t.ns != 0 && t.since() > u.since():
		return 1
	}
	return -1
}

func (t Time) IsZero() bool     { return t.ns == 0 }
func (t Time) Unix() int64      { return t.seconds() - toYear1 }
func (t Time) UnixNano() int64  { return t.Unix()*1e9 + int64(t.Nanosecond()) }
func (t Time) UnixMicro() int64 { return t.Unix()*1e6 + int64(t.Nanosecond())/1e3 }
func (t Time) UnixMilli() int64 { return t.Unix()*1e3 + int64(t.Nanosecond())/1e6 }

// Timer has a channel, or a number if it calls a function.
type Timer struct {
	C <-chan Time
	n int
}

func NewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	startTimer(c, d, false)
	return &Timer{C: c}
}

func AfterFunc(d Duration, f func()) *Timer { return &Timer{n: startFunc(d, f)} }
func After(d Duration) <-chan Time          { return NewTimer(d).C }

func (t *Timer) Stop() bool {
	switch {
	case t.n != 0:
		return stopFunc(t.n)
	case t.C == nil:
		panic("time: Stop called on uninitialized Timer")
	}
	return stopTimer(t.C)
}

func (t *Timer) Reset(d Duration) bool {
	switch {
	case t.n != 0:
		return resetFunc(t.n, d)
	case t.C == nil:
		panic("time: Reset called on uninitialized Timer")
	}
	return resetTimer(t.C, d)
}

type Ticker struct{ C <-chan Time }

func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := make(chan Time, 1)
	startTimer(c, d, true)
	return &Ticker{c}
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

func (t *Ticker) Stop() {
	if t.C != nil {
		stopTimer(t.C)
	}
}

func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.C == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	resetTimer(t.C, d)
}
