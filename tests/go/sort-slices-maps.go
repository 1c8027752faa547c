// Packages sort, slices and maps.
package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
)

type person struct {
	name string
	age  int
}

type byAge []person

func (p byAge) Len() int           { return len(p) }
func (p byAge) Less(i, j int) bool { return p[i].age < p[j].age }
func (p byAge) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }

func main() {
	n := []int{5, 2, 8, 1, 9, 3}
	sort.Ints(n)
	fmt.Println(n, sort.SearchInts(n, 8), sort.IntsAreSorted(n))
	s := []string{"pear", "apple", "fig"}
	sort.Strings(s)
	fmt.Println(s)
	people := []person{{"Ann", 30}, {"Bob", 25}, {"Cid", 30}, {"Dan", 20}, {"Eve", 25}}
	sort.Stable(byAge(people))
	fmt.Println(people)
	sort.Slice(people, func(i, j int) bool { return people[i].name > people[j].name })
	fmt.Println(people)
	sort.SliceStable(people, func(i, j int) bool { return people[i].age < people[j].age })
	fmt.Println(people)
	sort.Sort(sort.Reverse(sort.IntSlice(n)))
	fmt.Println(n, sort.Search(100, func(i int) bool { return i*i >= 50 }))
	slices.Sort(n)
	fmt.Println(n, slices.Contains(n, 8), slices.Index(n, 8), slices.Max(n), slices.Min(n))
	i, found := slices.BinarySearch(n, 4)
	fmt.Println(i, found, slices.Equal(n, slices.Clone(n)))
	slices.SortFunc(people, func(a, b person) int { return cmp.Or(cmp.Compare(a.age, b.age), cmp.Compare(a.name, b.name)) })
	fmt.Println(people)
	slices.Reverse(n)
	fmt.Println(n, slices.IndexFunc(n, func(v int) bool { return v < 4 }), slices.Compact([]int{1, 1, 2, 2, 1}), slices.Insert([]int{1, 4}, 1, 2, 3), slices.Delete([]int{1, 2, 3, 4}, 1, 3))
	m := map[string]int{"b": 2, "a": 1, "c": 3}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Print(k, m[k], " ")
	}
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Sorted(maps.Values(m)), maps.Equal(m, maps.Clone(m)))
	fmt.Println(slices.Collect(maps.Keys(map[int]bool{7: true})), cmp.Compare(1, 2), cmp.Less("b", "a"))
}
