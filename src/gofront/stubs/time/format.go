package time

const (
	Layout      = "01/02 03:04:05PM '06 -0700"
	ANSIC       = "Mon Jan _2 15:04:05 2006"
	UnixDate    = "Mon Jan _2 15:04:05 MST 2006"
	RubyDate    = "Mon Jan 02 15:04:05 -0700 2006"
	RFC822      = "02 Jan 06 15:04 MST"
	RFC822Z     = "02 Jan 06 15:04 -0700"
	RFC850      = "Monday, 02-Jan-06 15:04:05 MST"
	RFC1123     = "Mon, 02 Jan 2006 15:04:05 MST"
	RFC1123Z    = "Mon, 02 Jan 2006 15:04:05 -0700"
	RFC3339     = "2006-01-02T15:04:05Z07:00"
	RFC3339Nano = "2006-01-02T15:04:05.999999999Z07:00"
	Kitchen     = "3:04PM"
	Stamp       = "Jan _2 15:04:05"
	StampMilli  = "Jan _2 15:04:05.000"
	StampMicro  = "Jan _2 15:04:05.000000"
	StampNano   = "Jan _2 15:04:05.000000000"
	DateTime    = "2006-01-02 15:04:05"
	DateOnly    = "2006-01-02"
	TimeOnly    = "15:04:05"
)

// padded writes n with at least so many digits.
func padded(n, width int, with string) string {
	s := digits(uint64(n))
	for len(s) < width {
		s = with + s
	}
	return s
}

func (t Time) Format(layout string) string {
	out := ""
	for layout != "" {
		text, n := t.part(layout)
		if n == 0 {
			text, n = layout[:1], 1
		}
		out += text
		layout = layout[n:]
	}
	return out
}

// begins says that s has the prefix. A short name that goes on with a small letter is another word.
func begins(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
func isName(s string) bool         { return len(s) < 4 || s[3] < 'a' || s[3] > 'z' }

// part writes what the layout begins with, and returns how long that is there; 0: nothing with a meaning.
func (t Time) part(s string) (string, int) {
	year, month, day, yearDay := t.date()
	hour, min, sec := t.Clock()
	half := (hour+11)%12 + 1
	switch {
	case begins(s, "January"):
		return month.String(), 7
	case begins(s, "Jan") && isName(s):
		return month.String()[:3], 3
	case begins(s, "Monday"):
		return t.Weekday().String(), 6
	case begins(s, "Mon") && isName(s):
		return t.Weekday().String()[:3], 3
	case begins(s, "MST"):
		return "UTC", 3
	case begins(s, "002"):
		return padded(yearDay, 3, "0"), 3
	case begins(s, "__2"):
		return padded(yearDay, 3, " "), 3
	case begins(s, "_2006"):
		return "_" + padded(year, 4, "0"), 5
	case begins(s, "_2"):
		return padded(day, 2, " "), 2
	case begins(s, "2006"):
		return padded(year, 4, "0"), 4
	case begins(s, "15"):
		return padded(hour, 2, "0"), 2
	case begins(s, "PM"):
		return halfDay(hour, "AM", "PM"), 2
	case begins(s, "pm"):
		return halfDay(hour, "am", "pm"), 2
	case s[0] == '0' && len(s) > 1 && s[1] >= '1' && s[1] <= '6':
		return padded([]int{int(month), day, half, min, sec, year % 100}[s[1]-'1'], 2, "0"), 2
	case s[0] >= '1' && s[0] <= '5':
		return digits(uint64([]int{int(month), day, half, min, sec}[s[0]-'1'])), 1
	case s[0] == '-' || s[0] == 'Z':
		return zone(s)
	case s[0] == '.' || s[0] == ',':
		return t.fraction(s)
	}
	return "", 0
}

func halfDay(hour int, before, after string) string {
	if hour >= 12 {
		return after
	}
	return before
}

func zone(s string) (string, int) {
	for _, z := range []string{"070000", "07:00:00", "0700", "07:00", "07"} {
		if begins(s[1:], z) {
			if s[0] == 'Z' {
				return "Z", 1 + len(z)
			}
			b := []byte("+" + z)
			b[2] = '0'
			return string(b), 1 + len(z)
		}
	}
	return "", 0
}

func (t Time) fraction(s string) (string, int) {
	n := 1
	for n < len(s) && s[n] == s[1] && (s[1] == '0' || s[1] == '9') {
		n++
	}
	if n == 1 || n < len(s) && s[n] >= '0' && s[n] <= '9' {
		return "", 0
	}
	all := padded(t.Nanosecond(), 9, "0")
	for len(all) < n-1 {
		all += "0"
	}
	all = all[:n-1]
	for s[1] == '9' && all != "" && all[len(all)-1] == '0' {
		all = all[:len(all)-1]
	}
	if all == "" {
		return "", n
	}
	return s[:1] + all, n
}

func (t Time) String() string {
	s := t.Format("2006-01-02 15:04:05.999999999 -0700 MST")
	if !t.monotonic() {
		return s
	}
	n, sign := t.ns, "+"
	if n < 0 {
		n, sign = -n, "-"
	}
	return s + " m=" + sign + digits(uint64(n/1e9)) + "." + padded(int(n%1e9), 9, "0")
}
