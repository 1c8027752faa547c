package errors

type text struct{ s string }

func (e *text) Error() string { return e.s }

func New(s string) error { return &text{s} }

func Unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

func Is(err, target error) bool {
	for err != nil {
		if err == target {
			return true
		}
		if x, ok := err.(interface{ Is(error) bool }); ok && x.Is(target) {
			return true
		}
		if u, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range u.Unwrap() {
				if Is(e, target) {
					return true
				}
			}
			return false
		}
		err = Unwrap(err)
	}
	return target == nil
}

type joined struct{ errs []error }

func (j *joined) Error() string {
	s := ""
	for i, e := range j.errs {
		if i > 0 {
			s += "\n"
		}
		s += e.Error()
	}
	return s
}
func (j *joined) Unwrap() []error { return j.errs }

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
	return &joined{list}
}
