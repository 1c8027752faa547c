#!/usr/bin/env bash
# Installs a build below its own prefix, hides the build directory's data, and uses the installed files as a user would.
# install.sh BUILD_DIR: prints a line for each test and "N passed, N failed".
set -uo pipefail
build=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0 failed=0
check() { # NAME COMMAND…
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit $?"
        head -n 5 "$work/output"
    fi
}
has() { grep -qF -- "$1" "$work/text"; }
into() { "$@" >"$work/text" 2>&1; }

check "cmake --install" cmake --install "$build" --prefix "$work/usr"
check "DESTDIR" env DESTDIR="$work/dest" cmake --install "$build" --prefix /opt/gmpscope
cd / || exit 1
gmpscope=$work/usr/bin/gmpscope
check "the installed program lists the shipped scenarios" into "$gmpscope" list
check "steal-half is one of them" has steal-half
check "it runs one by name, from another folder" into "$gmpscope" run steal-half --headless
check "a layout by name" into "$gmpscope" lint classic
check "what DESTDIR has works where it lies" into "$work/dest/opt/gmpscope/bin/gmpscope" run steal-half --headless
check "the front end for Go programs is installed as source" test -s "$work/usr/share/gmpscope/gofront/main.go" -a -s "$work/usr/share/gmpscope/gofront/stubs/fmt/fmt.go"
printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n' >"$work/main.go"
if go version >"$work/text" 2>&1; then
    check "the installed program reads a Go program" into "$gmpscope" run "$work/main.go" --headless
    check "and runs it" has hello
else
    into "$gmpscope" run "$work/main.go" --headless
    check "without Go it says so" has "read by Go 1.19 or newer"
fi
mkdir "$work/moved" && cp -r "$work/usr/." "$work/moved"
check "a copy of the tree works" into "$work/moved/bin/gmpscope" run steal-half --headless
rm -rf "$work/moved/share/gmpscope"
into "$work/moved/bin/gmpscope" run steal-half --headless
check "without its data it says what to do" has "set GMPSCOPE_DATA"
check "GMPSCOPE_DATA is used first" env GMPSCOPE_DATA="$work/usr/share/gmpscope" "$work/moved/bin/gmpscope" run steal-half --headless
into env GMPSCOPE_DATA="$work/nothing" "$gmpscope" list
check "GMPSCOPE_DATA is not passed over if it is wrong" has "$work/nothing/scenarios"
chmod 755 "$work"
unprivileged=()
[ "$(id -u)" -ne 0 ] || unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
check "a user who may write nowhere can run it" into "${unprivileged[@]}" env HOME="$work/none" "$gmpscope" run steal-half --headless --audit
if [ "$("$gmpscope" --version | grep -c Debug)" -eq 0 ]; then
    check "the program names no folder of the build" bash -c '! grep -qF "$1" "$0"' "$gmpscope" "$(cd "$build/.." && pwd)"
fi
check "--version names the build" bash -c '"$0" --version | grep -qE "^gmpscope [0-9.]+ \(.+\)$"' "$gmpscope"
man=$work/usr/share/man
for page in man1/gmpscope.1 man5/gmpscope-scenario.5 man5/gmpscope-layout.5 man7/gmpscope-events.7 man7/gmpscope-patterns.7 man7/gmpscope-queries.7 man7/gmpscope-keys.7 man7/gmpscope-go.7; do
    check "$page is installed" test -s "$man/$page"
done
skipped=0
if command -v mandoc >/dev/null; then
    into find "$man" -type f -exec mandoc -Tlint {} +
    check "mandoc finds nothing in the man pages" test ! -s "$work/text"
else
    echo "skipped: mandoc is not installed"
    skipped=1
fi
if [ "$skipped" -eq 0 ]; then echo "$passed passed, $failed failed"; else echo "$passed passed, $failed failed, $skipped skipped"; fi
[ "$failed" -eq 0 ]
