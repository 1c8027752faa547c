// What few programs use. The variables are initialised only where the program reaches them.
//
//gofront:lazy
package os

import (
	"errors"
	"sync"
	"syscall"
)

type Signal interface {
	String() string
	Signal()
}

var (
	Stdin            = &File{0}
	Interrupt Signal = syscall.SIGINT
	Kill      Signal = syscall.SIGKILL
)

// The environment begins empty: a run must not depend on where it is made.
var environ struct {
	sync.RWMutex
	all []string
}

// find is where the variable is in environ; -1: nowhere.
func find(key string) int {
	for i, v := range environ.all {
		if len(v) > len(key) && v[:len(key)] == key && v[len(key)] == '=' {
			return i
		}
	}
	return -1
}

func LookupEnv(key string) (string, bool) {
	environ.RLock()
	defer environ.RUnlock()
	if i := find(key); i >= 0 && key != "" {
		return environ.all[i][len(key)+1:], true
	}
	return "", false
}

func Getenv(key string) string {
	v, _ := LookupEnv(key)
	return v
}

func Setenv(key, value string) error {
	for _, c := range key {
		if c == '=' || c == 0 {
			key = ""
		}
	}
	if key == "" {
		return errors.New("setenv: invalid argument")
	}
	environ.Lock()
	defer environ.Unlock()
	if i := find(key); i >= 0 {
		environ.all[i] = key + "=" + value
	} else {
		environ.all = append(environ.all, key+"="+value)
	}
	return nil
}

func Unsetenv(key string) error {
	environ.Lock()
	defer environ.Unlock()
	if i := find(key); i >= 0 {
		environ.all = append(environ.all[:i:i], environ.all[i+1:]...)
	}
	return nil
}

func Environ() []string {
	environ.RLock()
	defer environ.RUnlock()
	return append([]string{}, environ.all...)
}
