package main // want FILE: function main is undeclared in the main package

import "net/http"

func unused() { http.Get("x") }
