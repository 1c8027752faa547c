// Errors: wrapping, Is, As, Join, sentinels and types.
package main

import (
	"errors"
	"fmt"
)

var errNotFound = errors.New("not found")

type queryError struct {
	query string
	err   error
}

func (q *queryError) Error() string { return q.query + ": " + q.err.Error() }
func (q *queryError) Unwrap() error { return q.err }

type timeout struct{}

func (timeout) Error() string        { return "timeout" }
func (timeout) Is(target error) bool { return target == errNotFound }

func find(key string) error {
	if key == "" {
		return fmt.Errorf("find: %w", errNotFound)
	}
	return &queryError{key, errNotFound}
}

func main() {
	e := find("")
	fmt.Println(e, errors.Is(e, errNotFound), e == errNotFound, errors.Unwrap(e) == errNotFound)
	e = fmt.Errorf("layer 2: %w", fmt.Errorf("layer 1: %w", find("k")))
	fmt.Println(e, errors.Is(e, errNotFound))
	var q *queryError
	fmt.Println(errors.As(e, &q), q.query)
	var t timeout
	fmt.Println(errors.As(e, &t), errors.Is(timeout{}, errNotFound), errors.Is(nil, errNotFound))
	joined := errors.Join(errNotFound, nil, timeout{})
	fmt.Println(joined)
	fmt.Println(errors.Is(joined, errNotFound), errors.As(joined, &t), errors.Join(nil, nil) == nil)
	both := fmt.Errorf("%w and %w, %d", errNotFound, timeout{}, 5)
	fmt.Println(both, errors.As(both, &t), errors.Unwrap(both))
	plain := fmt.Errorf("no wrapping: %v", errNotFound)
	fmt.Println(plain, errors.Is(plain, errNotFound), errors.Unwrap(plain))
	fmt.Printf("%v %s %q %d\n", errNotFound, errNotFound, errNotFound, 3)
	fmt.Printf("%T %T %T %v\n", errNotFound, e, q, error(nil))
	fmt.Println(errors.New("a") == errors.New("a"), fmt.Errorf("bad: %w", nil))
	defer func() {
		err, _ := recover().(error)
		fmt.Println("recovered:", errors.Is(err, errNotFound))
		panic(fmt.Errorf("end: %w", err))
	}()
	panic(e)
}
