package bits

const UintSize = 64

func Len(x uint) int { return Len64(uint64(x)) }

func Len64(x uint64) (n int) {
	for ; x != 0; x >>= 1 {
		n++
	}
	return n
}

func Len32(x uint32) int { return Len64(uint64(x)) }
func Len16(x uint16) int { return Len64(uint64(x)) }
func Len8(x uint8) int   { return Len64(uint64(x)) }

func OnesCount64(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

func OnesCount(x uint) int     { return OnesCount64(uint64(x)) }
func OnesCount32(x uint32) int { return OnesCount64(uint64(x)) }
func OnesCount8(x uint8) int   { return OnesCount64(uint64(x)) }

func TrailingZeros64(x uint64) int {
	if x == 0 {
		return 64
	}
	return Len64(x&-x) - 1
}

func TrailingZeros(x uint) int    { return TrailingZeros64(uint64(x)) }
func LeadingZeros64(x uint64) int { return 64 - Len64(x) }
func LeadingZeros(x uint) int     { return 64 - Len(x) }
func LeadingZeros32(x uint32) int { return 32 - Len32(x) }

func RotateLeft64(x uint64, k int) uint64 { return x<<uint(k&63) | x>>uint(64-k&63) }
func RotateLeft32(x uint32, k int) uint32 { return x<<uint(k&31) | x>>uint(32-k&31) }

// Mul64 returns the 128 bits of x * y.
func Mul64(x, y uint64) (hi, lo uint64) {
	const mask = 1<<32 - 1
	x0, x1, y0, y1 := x&mask, x>>32, y&mask, y>>32
	w0 := x0 * y0
	t := x1*y0 + w0>>32
	w1 := t&mask + x0*y1
	return x1*y1 + t>>32 + w1>>32, x * y
}

// Add64 returns the sum with carry.
func Add64(x, y, carry uint64) (sum, carryOut uint64) {
	sum = x + y + carry
	return sum, ((x & y) | ((x | y) &^ sum)) >> 63
}
