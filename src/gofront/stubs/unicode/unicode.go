// Package unicode knows ASCII, Latin-1, Greek and Cyrillic.
package unicode

const (
	MaxRune         = '\U0010FFFF'
	ReplacementChar = '\uFFFD'
	MaxASCII        = '\u007F'
	MaxLatin1       = '\u00FF'
)

func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

func IsDigit(r rune) bool { return r >= '0' && r <= '9' }
func IsNumber(r rune) bool {
	return IsDigit(r) || r == 0xb2 || r == 0xb3 || r == 0xb9 || r >= 0xbc && r <= 0xbe
}

func IsUpper(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 0xc0 && r <= 0xde && r != 0xd7 || r >= 0x391 && r <= 0x3a9 || r >= 0x400 && r <= 0x42f
}

func IsLower(r rune) bool {
	return r >= 'a' && r <= 'z' || r == 0xb5 || r >= 0xdf && r <= 0xff && r != 0xf7 || r >= 0x3b1 && r <= 0x3c9 || r >= 0x430 && r <= 0x45f
}

// IsLetter takes what is beyond these alphabets for letters if it can be one: CJK, Hangul, Hebrew, Arabic and others.
func IsLetter(r rune) bool {
	return IsUpper(r) || IsLower(r) || r == 0xaa || r == 0xba || r >= 0x100 && r <= 0x2c1 || r >= 0x370 && r <= 0x3ff || r >= 0x460 && r <= 0x52f ||
		r >= 0x5d0 && r <= 0x5ea || r >= 0x620 && r <= 0x64a || r >= 0x3041 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3
}

func ToUpper(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 0xe0 && r <= 0xfe && r != 0xf7, r >= 0x3b1 && r <= 0x3c9 && r != 0x3c2, r >= 0x430 && r <= 0x44f:
		return r - 32
	case r == 0x3c2:
		return 0x3a3
	case r == 0xff:
		return 0x178
	case r == 0xb5:
		return 0x39c
	case r >= 0x450 && r <= 0x45f:
		return r - 80
	}
	return r
}

func ToLower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z', r >= 0xc0 && r <= 0xde && r != 0xd7, r >= 0x391 && r <= 0x3a9 && r != 0x3a2, r >= 0x410 && r <= 0x42f:
		return r + 32
	case r >= 0x400 && r <= 0x40f:
		return r + 80
	case r == 0x178:
		return 0xff
	}
	return r
}

func ToTitle(r rune) rune { return ToUpper(r) }

func IsPunct(r rune) bool {
	switch r {
	case '!', '"', '#', '%', '&', '\'', '(', ')', '*', ',', '-', '.', '/', ':', ';', '?', '@', '[', '\\', ']', '_', '{', '}', 0xa1, 0xa7, 0xab, 0xb6, 0xb7, 0xbb, 0xbf:
		return true
	}
	return false
}

func IsControl(r rune) bool { return r >= 0 && r < 0x20 || r >= 0x7f && r < 0xa0 }
