// Package syscall has the names of the signals that programs wait for.
package syscall

type Signal int

const (
	SIGHUP  Signal = 1
	SIGINT  Signal = 2
	SIGQUIT Signal = 3
	SIGKILL Signal = 9
	SIGUSR1 Signal = 10
	SIGUSR2 Signal = 12
	SIGTERM Signal = 15
)

func (s Signal) Signal() {}

func (s Signal) String() string {
	names := map[Signal]string{SIGHUP: "hangup", SIGINT: "interrupt", SIGQUIT: "quit", SIGKILL: "killed", SIGUSR1: "user defined signal 1",
		SIGUSR2: "user defined signal 2", SIGTERM: "terminated"}
	return names[s]
}
