#!/usr/bin/env bash
# Compares the output of the same programs on real Go and here, line by line: every shipped scenario that has a Go equivalent, the cases, and generated
# programs of all classes.
#
#   [GENERATIONS="go1.20 go1.26 go1.27"] run.sh GMPSCOPE GENERATOR SCENARIOS [COUNT [SEED [CLASSES [FOLDER]]]]
#
# COUNT programs in all (tests/long compares many more), or of each class if CLASSES names some ("net tie"; "case": only the cases and the shipped
# scenarios). The programs are dealt out to the GENERATIONS in turn, and each generation is held against a Go of its own (find-go). A generation
# without one is skipped, with its name; 77 if there is none at all. Each program is exported and made a package of one Go program
# (one build, one link), which runs at GOMAXPROCS=1; judge.sh compares. FOLDER keeps everything for looking at it.
#
# The module has the generation's `go` line, so that today's Go gives it that version's language and settings. What is in P0's queue when main begins
# must be nothing, as here. So the programs import no package that starts a goroutine (scenario/go/head.c has the exception, package os), and main
# has the export's line updatemaxprocs=0: in a module with `go 1.25` or newer, the runtime starts a goroutine that updates GOMAXPROCS.
#
# The folder fixed has programs that are written for Go by hand, each beside a scenario that does the same: what an export cannot do. They run in each
# generation, and so do the cases that guard what all versions have in common.
#
# One constant of Go is changed: a time slice lasts 10 s instead of 10 ms, except in files that say "preempt_slice: 10ms". Go preempts by the wall
# clock, so on a slow machine a G lost its P in the middle of what takes no time in lockstep: of 40 programs with hundreds of Gs, 8 differed and 18
# were not decided.
set -uo pipefail
gmpscope=$1 generator=$2 scenarios=$3 count=${4:-256} seed=${5:-1} classes=${6:-}
here=$(cd "$(dirname "$0")" && pwd)
export gmpscope GOMAXPROCS=1 GOGC=off GODEBUG=asyncpreemptoff=1

declare -A go=()
generations=() skipped=0
for generation in ${GENERATIONS:-go1.20 go1.26 go1.27}; do
    if go[$generation]=$("$here/find-go" "$generation"); then
        generations+=("$generation")
        echo "$generation: $(GOTOOLCHAIN=local "${go[$generation]}" version)"
    else
        skipped=$((skipped + 1))
        echo "skipped: $generation is not compared: no Go of that version is here or can be fetched"
    fi
done
[ "${#generations[@]}" -gt 0 ] || { echo "no Go here (Debian's golang-1.19-go): skipped"; exit 77; }

if [ -n "${7:-}" ]; then
    dir=$7
    mkdir -p "$dir"
else
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
fi
dir=$(cd "$dir" && pwd)
export dir
mkdir -p "$dir/yaml" "$dir/out" "$dir/run"
with_cases=true
if [ "$classes" = case ]; then
    count=0
else
    # shellcheck disable=SC2086 # a list of words
    "$generator" "$dir/yaml" "$count" "$seed" $classes || exit 1
    [ -z "$classes" ] || with_cases=false
fi

# ---- two Go programs of all, for each generation: package os starts a goroutine before main, so what imports it is kept apart ----

# Adds a scenario's export for the next generation, or for this one, as a package.
dealt=$seed
pack() { # FILE PACKAGE CLASS [GENERATION]
    local original=$dir/original.txt part=plain generation=${4:-${generations[dealt % ${#generations[@]}]}}
    "$gmpscope" export "$1" --format go --generation "$generation" 2>"$dir/refused" >"$original" || return 1
    if ! grep -q '"GOMAXPROCS", "1".*asyncpreemptoff' "$original"; then
        echo "$1: its order is not decided: several Ps, or signals" >"$dir/refused"
        return 1
    fi
    dealt=$((dealt + 1))
    grep -q '^	"os"$' "$original" && part=with-os
    part=$generation/$part
    mkdir -p "$dir/go/$part/$2"
    grep '^//go:debug' "$original" >"$dir/go/$generation/settings"
    sed -e 's/^\/\/go:debug/\/\/ &/' -e "s/^package main\$/package $2/" -e 's/^func main() {$/func Main() {/' "$original" >"$dir/go/$part/$2/$2.go"
    if grep -q 'preempt_slice: 10ms' "$1"; then
        sed -i 's/^\topenOutput()$/&\n\tforcePreemptNS = 10 * 1000 * 1000/' "$dir/go/$part/$2/$2.go"
        printf '\n//go:linkname forcePreemptNS runtime.forcePreemptNS\nvar forcePreemptNS int64\n' >>"$dir/go/$part/$2/$2.go"
    fi
    # without its claims: an expected fatal end would not be reported
    awk '/^[^ ]/ { skip = /^expect:/ } /^  [^ ]/ && !/^  -/ { inner = /^  without:/ } /^[^ ]/ { inner = 0 } !skip && !inner' "$1" \
        >"$dir/run/$2.yaml"
    echo "$2 $3 $dir/go/$part/program $dir/run/$2.yaml $generation" >>"$dir/programs"
}
: >"$dir/programs"
for file in "$dir"/yaml/*.yaml; do
    [ -e "$file" ] || break
    name=$(basename "$file" .yaml)
    pack "$file" "g${name/-/}" "${name%-*}" || { echo "FAILED: $file is not exported"; cat "$dir/refused"; exit 1; }
done
shipped=0 refused=0
if $with_cases; then
    # The cases: orders that show facts about Go's versions, each in a file of its own with its claims.
    cases=$here/cases
    for generation in "${generations[@]}"; do
        "$gmpscope" check "$cases"/*.yaml --generation "$generation" --audit >"$dir/check" ||
            { cat "$dir/check"; echo "FAILED: a case does not do what it claims in $generation"; exit 1; }
    done
    for file in "$cases"/*.yaml; do
        name=c$(basename "$file" .yaml | tr -d -- -)
        guarded=()
        case $file in */13-* | */62-* | */63-*) guarded=("${generations[@]}") ;; esac
        for generation in "${guarded[@]:-}"; do
            pack "$file" "$name${generation//[!0-9]/}" case "$generation" ||
                { echo "FAILED: $file is not exported"; cat "$dir/refused"; exit 1; }
        done
    done
    for generation in "${generations[@]}"; do
        for file in "$here"/fixed/*.go; do
            name=f$(basename "$file" .go | tr -d -- -)${generation//[!0-9]/}
            mkdir -p "$dir/go/$generation/plain/$name"
            sed "s/^package .*/package $name/" "$file" >"$dir/go/$generation/plain/$name/$name.go"
            echo "$name fixed $dir/go/$generation/plain/program ${file%.go}.yaml $generation" >>"$dir/programs"
        done
    done
    for file in "$scenarios"/*.yaml; do
        name=s$(basename "$file" .yaml | tr -d -- -)
        if [ "$name" = snetcredit ]; then
            echo "not compared: net-credit.yaml: it shows when a write blocks, which the kernel's buffers decide for Go's sockets"
        elif [ "$name" = snetsysmon ]; then
            echo "not compared: net-sysmon.yaml: its main computes for 30 ms in one slice, and Go's slices last 10 ms"
        elif "$gmpscope" export "$file" --format go 2>"$dir/refused" >/dev/null && pack "$file" "$name" shipped; then # in its own generation, too
            shipped=$((shipped + 1))
        else
            refused=$((refused + 1))
            sed 's/^[^:]*: [^:]*\//not compared: /; s/^\/.*\//not compared: /' "$dir/refused" | head -1
        fi
    done
fi
main() { # GENERATION/PART: a main that calls what the environment names
    printf '//go:build %s\n\n' "$([ "${1%/*}" = go1.20 ] && echo go1.14 || echo "${1%/*}")"
    cat "$dir/go/${1%/*}/settings"
    printf '\npackage main\n'
    echo "import \"syscall\""
    awk -v program="$dir/go/$1/program" -v path="programs/${1#*/}" '$3 == program { print "import \"" path "/" $1 "\"" }' "$dir/programs"
    echo "func main() {"
    echo "	name, _ := syscall.Getenv(\"PROGRAM\")"
    echo "	switch name {"
    awk -v program="$dir/go/$1/program" '$3 == program { print "\tcase \"" $1 "\":\n\t\t" $1 ".Main()" }' "$dir/programs"
    echo "	}"
    echo "}"
}
# Makes the overlay for `go build` in which a time slice lasts 10 s, as a variable that a program may change.
long_slices() { # GO
    local file
    file=$("$1" env GOROOT)/src/runtime/proc.go
    sed 's/^const forcePreemptNS = 10 \* 1000 \* 1000 .*/\n\/\/go:linkname forcePreemptNS\nvar forcePreemptNS int64 = 10 * 1000 * 1000 * 1000/' "$file" >proc.go
    printf '{"Replace": {"%s": "%s"}}\n' "$file" "$PWD/proc.go" >overlay.json
    ! cmp -s "$file" proc.go
}
build() { # GENERATION
    local go=${go[$1]} part
    cd "$dir/go/$1" || return 1
    unset GOMAXPROCS GOGC GODEBUG
    export GOFLAGS="-mod=mod -overlay=$PWD/overlay.json" GOPROXY=off GOCACHE=${GOCACHE:-$dir/cache} GOPATH=$dir/path GO111MODULE=on CGO_ENABLED=0
    export GOTOOLCHAIN=local
    printf 'module programs\n\ngo %s\n' "${1#go}" >go.mod
    GOFLAGS='' long_slices "$go" || { echo "FAILED: this Go's runtime/proc.go has no forcePreemptNS of 10 ms"; return 1; }
    for part in plain with-os; do
        [ -d "$part" ] || continue
        main "$1/$part" >"$part/main.go"
        "$go" build -o "$part/program" "./$part" || return 1
    done
    # gofmt finds nothing to change, and vet nothing to report
    shopt -s nullglob
    unformatted=$("${go%/*}/gofmt" -l ./*/[scf]* ./*/g*00[0-2]*)
    [ -z "$unformatted" ] || { echo "FAILED: not formatted as gofmt would: $unformatted"; return 1; }
    "$go" vet ./*/[scf]* ./*/g*000* || { echo "FAILED: vet"; return 1; }
}
echo "exported in $SECONDS s"
began=$SECONDS
for generation in "${generations[@]}"; do (build "$generation") || exit 1; done
echo "$(wc -l <"$dir/programs") programs built in $((SECONDS - began)) s"

# ---- both ----

began=$SECONDS
xargs -P "$(nproc)" -L 1 "$here/judge.sh" <"$dir/programs" >"$dir/first"
# What differs is judged again, one after another: on a busy machine a sleep may end in the middle of what takes no time in lockstep.
awk '$3 != "differs"' "$dir/first" >"$dir/results"
awk 'NR == FNR { differs[$1] = $3 == "differs"; next } differs[$1]' "$dir/first" "$dir/programs" | xargs -r -L 1 "$here/judge.sh" >>"$dir/results"
echo "judged again: $(grep -c ' differs ' "$dir/first")"
echo "compared in $((SECONDS - began)) s"

# ---- the results ----

failed=0
fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}
while read -r name class _; do
    echo "DIFFERS: $name (class $class, $(awk -v n="$name" '$1 == n { print $5 ", " $4 }' "$dir/programs"))"
    sort "$dir/out/$name.go" | uniq -c | sort -rn | head -3
    common=$(sort "$dir/out/$name.go" | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
    for run in lockstep free; do
        for sum in $(sort -u "$dir/out/$name.$run"); do
            grep -qx "$sum" "$dir/out/$name.go" || diff -U2 --label "real Go" --label "$run" "$dir/out/$name.go.$common" "$dir/out/$name.$run.$sum" | head -20
        done
    done
    failed=$((failed + 1))
done < <(grep ' differs ' "$dir/results")
grep -E ' (rare|undecided|starved) ' "$dir/results" | sed 's/^/not decided: /'
[ "$(wc -l <"$dir/results")" -eq "$(wc -l <"$dir/programs")" ] || fail "not every program was compared"
awk 'NR == FNR { generation[$1] = $5; next } { $2 = generation[$1] " " $2; n[$2]++; v[$2 " " $3]++; runs[$2] += $4 }
    END { printf "%-16s %8s %6s %7s %6s %10s %8s %8s %11s\n", "class", "programs", "same", "one-of", "rare", "undecided", "starved", "differs", "runs of Go"
          for (c in n) printf "%-16s %8d %6d %7d %6d %10d %8d %8d %11d\n", c, n[c], v[c " same"], v[c " one-of"], v[c " rare"], v[c " undecided"],
              v[c " starved"], v[c " differs"], runs[c] | "sort" }' "$dir/programs" "$dir/results"

# Each construct is in so many of the generated programs that were compared.
used() { # LEAST WORD PATTERN
    local n
    n=$(awk '/^g/ && ($3 == "same" || $3 == "one-of") { print $1 ".yaml" }' "$dir/results" | (cd "$dir/run" && xargs grep -lE -- "$3") | wc -l)
    printf '%-12s %d\n' "$2" "$n"
    [ "$n" -ge "$1" ] || fail "only $n programs with $2"
}
if [ -z "$classes" ] && [ "$count" -ge 600 ]; then
    used 100 channel '\{(send|recv): '
    used 30 range '\{range: '
    used 60 close '\{close: '
    used 60 select '\{select: '
    used 60 mutex '\{lock: '
    used 30 rwmutex '\{(rlock|wlock): '
    used 100 waitgroup '\{wait: '
    used 30 cond '\{cond_wait: '
    used 100 yield '\{yield: '
    used 30 nested 'name: (node|starter|link)'
    used 20 overflow 'name: one'
    used 20 tick61 'name: patient'
    used 30 death 'name: mortal'
    used 20 sleep '\{sleep: '
    used 25 conn '\{read: '
    used 25 locked '\{lock_os_thread: '
    used 10 ticker '\{ticker: '
    used 10 timer '\{timer: '
    used 20 stop '\{stop: '
    used 20 reset '\{reset: '
    used 15 after '\{after: '
fi
total=$(wc -l <"$dir/results")
same=$(grep -cE ' (same|one-of) ' "$dir/results")
open=$(grep -cE ' (rare|undecided|starved) ' "$dir/results")
[ "$open" -le $((2 + total / 20)) ] || fail "$open of $total programs were not decided: the machine is too busy for this test"
echo "$shipped shipped scenarios have an order that real Go has too, $refused not; $open programs were not decided (machine busy)"
echo "$same passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
