// Integers of all sizes wrap around; conversions cut or extend.
package main

import (
	"fmt"
	"math"
)

func main() {
	var (
		i8  int8   = 127
		i16 int16  = -32768
		i32 int32  = math.MaxInt32
		i64 int64  = math.MinInt64
		u8  uint8  = 0
		u16 uint16 = 65535
		u32 uint32 = 1 << 31
		u64 uint64 = math.MaxUint64
	)
	i8++
	i16--
	i32 += 2
	i64--
	u8--
	u16 *= 2
	u32 <<= 1
	u64 += 3
	fmt.Println(i8, i16, i32, i64, u8, u16, u32, u64)
	n := 300
	fmt.Println(int8(n), uint8(n), int16(-n*1000), uint32(-n), uint64(int8(-n)))
	fmt.Println(-7/2, -7%2, 7/-2, 7%-2, -7>>1, uint8(200)>>3, int8(-128)>>7)
	x, y := int8(-128), int8(-1)
	fmt.Println(x/y, x*y, -x, x%y)
	fmt.Println(6&3, 6|3, 6^3, 6&^3, ^6, ^uint8(6))
	s := uint(70)
	fmt.Println(1<<s, int32(n)<<31, -1>>s, uint64(1)<<63, int64(-5)>>s)
	f := 3.99
	fmt.Println(int(f), int(-f), uint8(f), float32(0.1), float64(float32(0.1)))
	const big = 1 << 100
	fmt.Println(big>>98, 'a'+1, string(rune('a'+1)))
	fmt.Println(math.MaxInt8, math.MaxUint16, uint64(math.MaxUint64))
	u64 = 1<<63 + 5
	fmt.Println(u64/10, u64%10, float64(u64), u64 > 1<<63)
}
