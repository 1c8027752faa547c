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

// What a mistake that the runtime finds panics with; the text is whole.
type (
	boundsError        string
	errorString        string
	plainError         string
	TypeAssertionError struct{ text string }
)

func (e boundsError) Error() string         { return string(e) }
func (e boundsError) RuntimeError()         {}
func (e errorString) Error() string         { return string(e) }
func (e errorString) RuntimeError()         {}
func (e plainError) Error() string          { return string(e) }
func (e plainError) RuntimeError()          {}
func (e *TypeAssertionError) Error() string { return e.text }
func (*TypeAssertionError) RuntimeError()   {}

// PanicNilError is what panic(nil) panics with since Go 1.21.
type PanicNilError struct{ _ int }

func (*PanicNilError) Error() string {
	return "panic called with nil argument"
}
func (*PanicNilError) RuntimeError() {}
