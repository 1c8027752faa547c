package list

type Element struct {
	next, prev *Element
	list       *List
	Value      any
}

func (e *Element) Next() *Element {
	if p := e.next; e.list != nil && p != &e.list.root {
		return p
	}
	return nil
}

func (e *Element) Prev() *Element {
	if p := e.prev; e.list != nil && p != &e.list.root {
		return p
	}
	return nil
}

// List is a ring through root.
type List struct {
	root Element
	len  int
}

func New() *List { return new(List).Init() }

func (l *List) Init() *List {
	l.root.next, l.root.prev, l.len = &l.root, &l.root, 0
	return l
}

func (l *List) ready() {
	if l.root.next == nil {
		l.Init()
	}
}

func (l *List) Len() int { return l.len }

func (l *List) Front() *Element {
	if l.len == 0 {
		return nil
	}
	return l.root.next
}

func (l *List) Back() *Element {
	if l.len == 0 {
		return nil
	}
	return l.root.prev
}

func (l *List) insert(v any, at *Element) *Element {
	e := &Element{Value: v, list: l}
	l.link(e, at)
	l.len++
	return e
}

func (l *List) link(e, at *Element) {
	e.prev, e.next = at, at.next
	e.prev.next, e.next.prev = e, e
}

func (l *List) Remove(e *Element) any {
	if e.list == l {
		e.prev.next, e.next.prev = e.next, e.prev
		e.next, e.prev, e.list = nil, nil, nil
		l.len--
	}
	return e.Value
}

func (l *List) PushFront(v any) *Element {
	l.ready()
	return l.insert(v, &l.root)
}

func (l *List) PushBack(v any) *Element {
	l.ready()
	return l.insert(v, l.root.prev)
}

func (l *List) InsertBefore(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark.prev)
}

func (l *List) InsertAfter(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark)
}

func (l *List) move(e, at *Element) {
	if e.list != l || e == at {
		return
	}
	e.prev.next, e.next.prev = e.next, e.prev
	l.link(e, at)
}

func (l *List) MoveToFront(e *Element) {
	if l.root.next != e {
		l.move(e, &l.root)
	}
}

func (l *List) MoveToBack(e *Element) {
	if l.root.prev != e {
		l.move(e, l.root.prev)
	}
}
