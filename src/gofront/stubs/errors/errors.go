package errors

import "internal/value"

type errorString struct{ s string }

func (e *errorString) Error() string { return e.s }

func New(text string) error { return &errorString{text} }

var ErrUnsupported = New("unsupported operation")

func Unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

// walk calls visit for err and all that it wraps, in Go's order, until one says yes.
func walk(err error, visit func(error) bool) bool {
	for err != nil {
		if visit(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if e != nil && walk(e, visit) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	return walk(err, func(e error) bool {
		if value.Comparable(target) && value.Comparable(e) && e == target {
			return true
		}
		x, ok := e.(interface{ Is(error) bool })
		return ok && x.Is(target)
	})
}

func As(err error, target any) bool {
	if err == nil {
		return false
	}
	if target == nil {
		panic("errors: target cannot be nil")
	}
	if value.Kind(target) != value.Pointer || value.Bits(target) == 0 {
		panic("errors: target must be a non-nil pointer")
	}
	return walk(err, func(e error) bool {
		if ok, _ := value.Assign(e, target); ok {
			return true
		}
		x, ok := e.(interface{ As(any) bool })
		return ok && x.As(target)
	})
}

func AsType[E error](err error) (E, bool) {
	var e E
	ok := As(err, &e)
	return e, ok
}

type joinError struct{ errs []error }

func Join(errs ...error) error {
	var list []error
	for _, e := range errs {
		if e != nil {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return &joinError{list}
}

func (j *joinError) Error() string {
	s := j.errs[0].Error()
	for _, e := range j.errs[1:] {
		s += "\n" + e.Error()
	}
	return s
}

func (j *joinError) Unwrap() []error { return j.errs }
