// Embedded structs and interfaces: promoted fields and methods.
package main

import "fmt"

type animal struct {
	name string
	legs int
}

func (a animal) describe() string { return fmt.Sprintf("%s has %d legs", a.name, a.legs) }
func (a *animal) grow()           { a.legs++ }
func (a animal) sound() string    { return "..." }

type dog struct {
	animal
	breed string
}

func (d dog) sound() string { return "woof" }

type puppy struct {
	*dog
	age int
}

type speaker interface{ sound() string }
type describer interface {
	speaker
	describe() string
}

type loud struct{ speaker }

func (l loud) sound() string { return l.speaker.sound() + "!" }

func main() {
	d := dog{animal{"Rex", 4}, "terrier"}
	d.grow()
	fmt.Println(d.describe(), d.sound(), d.animal.sound(), d.name)
	p := puppy{&d, 1}
	p.grow()
	fmt.Println(p.legs, d.legs, p.describe(), p.sound())
	var x describer = p
	fmt.Println(x.sound(), x.describe())
	fmt.Println(loud{loud{d}}.sound())
	f := d.describe
	d.name = "Max"
	fmt.Println(f(), d.describe())
	g := (*animal).grow
	g(&d.animal)
	h := dog.describe
	fmt.Println(h(d))
	fmt.Printf("%v %+v\n", d, d)
}
