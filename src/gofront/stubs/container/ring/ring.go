// Package ring is Go's own.
//
//gofront:goroot container/ring/ring.go
package ring
