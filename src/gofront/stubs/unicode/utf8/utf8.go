package utf8

const (
	RuneError = '\uFFFD'
	RuneSelf  = 0x80
	MaxRune   = '\U0010FFFF'
	UTFMax    = 4
)

func DecodeRuneInString(s string) (rune, int) {
	if s == "" {
		return RuneError, 0
	}
	first := RuneError
	for i, c := range s {
		if i > 0 {
			return first, i
		}
		first = c
	}
	return first, len(s)
}

func DecodeRune(p []byte) (rune, int) {
	if len(p) > UTFMax {
		p = p[:UTFMax]
	}
	return DecodeRuneInString(string(p))
}

func DecodeLastRuneInString(s string) (rune, int) {
	from := len(s) - 8
	if from < 0 {
		from = 0
	}
	r, at := RuneError, len(s)
	for i, c := range s[from:] {
		r, at = c, from+i
	}
	return r, len(s) - at
}

func RuneCountInString(s string) (n int) {
	for range s {
		n++
	}
	return n
}

func RuneCount(p []byte) int { return RuneCountInString(string(p)) }

func RuneLen(r rune) int {
	switch {
	case r < 0 || r > MaxRune || r >= 0xd800 && r < 0xe000:
		return -1
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case r < 0x10000:
		return 3
	}
	return 4
}

func ValidRune(r rune) bool { return RuneLen(r) > 0 }

func ValidString(s string) bool {
	for i, c := range s {
		if c == RuneError {
			if _, size := DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
	}
	return true
}

func Valid(p []byte) bool                { return ValidString(string(p)) }
func AppendRune(p []byte, r rune) []byte { return append(p, string(r)...) }
func EncodeRune(p []byte, r rune) int    { return copy(p[:len(string(r))], string(r)) }

// FullRune says that p begins with a rune, or with bytes that can never be one.
func FullRune(p []byte) bool {
	n := 1
	switch {
	case len(p) == 0:
		return false
	case p[0] >= 0xf0 && p[0] <= 0xf4:
		n = 4
	case p[0] >= 0xe0 && p[0] < 0xf0:
		n = 3
	case p[0] >= 0xc2 && p[0] < 0xe0:
		n = 2
	}
	if len(p) == 1 || len(p) >= n {
		return len(p) >= n
	}
	_, width := DecodeRune(append(append([]byte{}, p...), "\x80\x80"[:n-len(p)]...))
	return width == 1
}

func FullRuneInString(s string) bool { return FullRune([]byte(s)) }
