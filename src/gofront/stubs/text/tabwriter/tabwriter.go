// Package tabwriter is Go's own.
//
//gofront:goroot text/tabwriter/tabwriter.go
package tabwriter
