// Package bufio is Go's own.
//
//gofront:goroot bufio/bufio.go bufio/scan.go
package bufio
