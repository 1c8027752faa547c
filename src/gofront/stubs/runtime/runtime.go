package runtime

func Gosched()
func GC()
func Goexit()
func NumGoroutine() int
func LockOSThread()
func UnlockOSThread()

// procs returns how many Ps there were, and sets another number if n is at least 1.
func procs(n int) int
func GOMAXPROCS(n int) int { return procs(n) }

// NumCPU is how many Ps there are when nothing sets GOMAXPROCS.
func NumCPU() int

func KeepAlive(any) {}

const (
	GOOS   = "linux"
	GOARCH = "amd64"
)

type Error interface {
	error
	RuntimeError()
}

// runtimeError is what a mistake that the runtime finds panics with; its text is whole.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }
func (e runtimeError) RuntimeError() {}

// PanicNilError is what panic(nil) panics with since Go 1.21.
type PanicNilError struct{ _ int }

func (*PanicNilError) Error() string {
	return "panic called with nil argument"
}
func (*PanicNilError) RuntimeError() {}
