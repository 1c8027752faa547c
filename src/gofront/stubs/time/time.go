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

func (d Duration) Seconds() float64    { return float64(d) / 1e9 }
func (d Duration) Milliseconds() int64 { return int64(d) / 1e6 }
func (d Duration) Microseconds() int64 { return int64(d) / 1e3 }
func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) String() string      { return durationText(int64(d)) }

func durationText(d int64) string
func sleep(d Duration)
func now() int64

// A timer is known by its channel; startFunc returns a number for one without.
func startTimer(c chan Time, d Duration, every bool)
func stopTimer(c <-chan Time) bool
func resetTimer(c <-chan Time, d Duration) bool
func startFunc(d Duration, f func()) int
func stopFunc(n int) bool
func resetFunc(n int, d Duration) bool

func Sleep(d Duration) { sleep(d) }

type Month int

type Time struct{ ns int64 }

func Now() Time                    { return Time{now()} }
func Since(t Time) Duration        { return Now().Sub(t) }
func Until(t Time) Duration        { return t.Sub(Now()) }
func (t Time) Sub(u Time) Duration { return Duration(t.ns - u.ns) }
func (t Time) Add(d Duration) Time { return Time{t.ns + int64(d)} }
func (t Time) After(u Time) bool   { return t.ns > u.ns }
func (t Time) Before(u Time) bool  { return t.ns < u.ns }
func (t Time) Equal(u Time) bool   { return t.ns == u.ns }
func (t Time) IsZero() bool        { return t.ns == 0 }
func (t Time) UnixNano() int64     { return t.ns }
func (t Time) Unix() int64         { return t.ns / 1e9 }

type Timer struct {
	C <-chan Time
	n int // of a timer that calls a function
}

func NewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	startTimer(c, d, false)
	return &Timer{C: c}
}

func AfterFunc(d Duration, f func()) *Timer { return &Timer{n: startFunc(d, f)} }
func After(d Duration) <-chan Time          { return NewTimer(d).C }

func (t *Timer) Stop() bool {
	if t.C == nil {
		return stopFunc(t.n)
	}
	return stopTimer(t.C)
}

func (t *Timer) Reset(d Duration) bool {
	if t.C == nil {
		return resetFunc(t.n, d)
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

func Tick(d Duration) <-chan Time  { return NewTicker(d).C }
func (t *Ticker) Stop()            { stopTimer(t.C) }
func (t *Ticker) Reset(d Duration) { resetTimer(t.C, d) }
