// Package io is Go's own.
//
//gofront:goroot io/io.go io/multi.go io/pipe.go
package io
