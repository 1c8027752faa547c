package main

import (
	"fmt"
	"strconv"
)

func main() {
	for _, s := range []string{"1_000", "1__0", "_1", "1_", "0_7", "0x_1f", "0x1_f", "0x1f_", "0x_", "0b_1_0", "0o_7", "0_", "0_x1", "-1_0", "-_1", "+0x_F",
		"0b12", "08", "0_8", "1_a", "99999999999999999999x", "9_223_372_036_854_775_808", "-9_223_372_036_854_775_808", "_", "", "0X_A_b"} {
		i, err := strconv.ParseInt(s, 0, 64)
		u, uerr := strconv.ParseUint(s, 0, 64)
		ten, terr := strconv.ParseInt(s, 10, 32)
		fmt.Println(i, err, u, uerr, ten, terr)
	}
	for _, s := range []string{"1_000", "1_0.5", "1_.5", "1._5", "1.5_0", "0x_1p0", "0x1f", "0x1_fp0", "0x1p1_0", "0x1.8", "0x1p", "0x.8p1", "0x1_.8p0", "_1", "1_",
		"1__0", "inf", "-Infinity", "+nan", "nan", "-nan", "infin", "i_nf", "1e1_0", "1_e1", "1e_1", "0X1P-2", "0b1", "0b_1", "0x", "0xp1", "1e", "1e+", ".",
		"1.", ".5", "1e400", "-1e400", "0x1p-1075", "0x1p1024", "1f", " 1", "1 ", "1p3", "-", "", "-0x1_0p-4", "0_1.5"} {
		for _, bits := range []int{32, 64} {
			f, err := strconv.ParseFloat(s, bits)
			fmt.Println(f, err)
		}
	}
}
