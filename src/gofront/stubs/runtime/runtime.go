package runtime

func Gosched()
func GC()
func Goexit()
func NumCPU() int
func NumGoroutine() int
func GOMAXPROCS(n int) int
func LockOSThread()
func UnlockOSThread()

type Error interface {
	error
	RuntimeError()
}

// runtimeError is what a mistake that the runtime finds panics with; its text is whole.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }
func (e runtimeError) RuntimeError() {}
