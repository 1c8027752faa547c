package rand

func draw(n int64) int64

func Seed(int64)           {}
func Intn(n int) int       { return int(draw(int64(n))) }
func Int31n(n int32) int32 { return int32(draw(int64(n))) }
func Int63n(n int64) int64 { return draw(n) }
func Int() int             { return int(draw(1 << 62)) }
func Float64() float64     { return float64(draw(1<<53)) / (1 << 53) }
func Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}
func Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, Intn(i+1))
	}
}
