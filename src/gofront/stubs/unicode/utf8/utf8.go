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
