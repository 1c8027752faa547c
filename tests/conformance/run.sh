#!/usr/bin/env bash
# The same programs on real Go and here, line by line: every shipped scenario that has a Go equivalent, and generated ones.
#
#   run.sh GMPSCOPE GENERATOR SCENARIOS [COUNT [SEED [FOLDER]]]
#
# Each is exported, made a package of one Go program (one build, one link) and run there at least twice at GOMAXPROCS=1;
# here in lockstep and free. Output and end are compared where the runs of real Go agree among themselves. FOLDER keeps everything
# for looking at it. Skipped (77) without Go.
set -uo pipefail
gmpscope=$1 generator=$2 scenarios=$3 count=${4:-312} seed=${5:-1}
export gmpscope GOMAXPROCS=1 GOGC=off GODEBUG=asyncpreemptoff=1

go=${GO:-}
for candidate in /usr/lib/go-1.19/bin/go "$(command -v go)"; do
    [ -n "$go" ] || { [ -x "$candidate" ] && go=$candidate; }
done
[ -n "$go" ] || { echo "no Go here (Debian's golang-1.19-go): skipped"; exit 77; }

if [ -n "${6:-}" ]; then
    dir=$6
    mkdir -p "$dir"
else
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
fi
dir=$(cd "$dir" && pwd)
export dir
mkdir -p "$dir/yaml" "$dir/go" "$dir/out" "$dir/run"
"$generator" "$dir/yaml" "$count" "$seed" || exit 1

# ---- one Go program of all ----

refused=0
pack() { # FILE PACKAGE: its export as a package of the program
    mkdir -p "$dir/go/$2"
    "$gmpscope" export "$1" --format go 2>"$dir/refused" >"$dir/go/$2/original.txt" || { rm -r "$dir/go/$2"; return 1; }
    if ! grep -q '"GOMAXPROCS", "1".*asyncpreemptoff' "$dir/go/$2/original.txt" || grep -q '^\t"time"$' "$dir/go/$2/original.txt"; then
        echo "$1: its order is not decided: several Ps, or the clock" >"$dir/refused"
        rm -r "$dir/go/$2"
        return 1
    fi
    sed -e "s/^package main\$/package $2/" -e 's/^func main() {$/func Main() {/' "$dir/go/$2/original.txt" >"$dir/go/$2/$2.go"
    # without what it expects: a death that is expected is told by nothing
    awk '/^[^ ]/ { skip = /^expect:/ } /^  [^ ]/ && !/^  -/ { inner = /^  without:/ } /^[^ ]/ { inner = 0 } !skip && !inner' "$1" \
        >"$dir/run/$2.yaml"
    echo "$2 $dir/run/$2.yaml" >>"$dir/programs"
}
: >"$dir/programs"
for file in "$dir"/yaml/*.yaml; do
    name=g$(basename "$file" .yaml)
    pack "$file" "$name" || { echo "FAILED: $file is not exported"; cat "$dir/refused"; exit 1; }
done
# The orders that facts about Go's versions are told by, each in a file of its own with what it claims.
cases=$(cd "$(dirname "$0")/cases" && pwd)
"$gmpscope" check "$cases"/*.yaml --audit >"$dir/check" || { cat "$dir/check"; echo "FAILED: a case does not do what it claims"; exit 1; }
for file in "$cases"/*.yaml; do
    pack "$file" "c$(basename "$file" .yaml | tr -d -- -)" || { echo "FAILED: $file is not exported"; cat "$dir/refused"; exit 1; }
done
shipped=0
for file in "$scenarios"/*.yaml; do
    name=s$(basename "$file" .yaml | tr -d -- -)
    if pack "$file" "$name"; then
        shipped=$((shipped + 1))
    else
        refused=$((refused + 1))
        sed 's/^[^:]*: [^:]*\//not compared: /; s/^\/.*\//not compared: /' "$dir/refused" | head -1
    fi
done
{
    echo "package main"
    echo "import \"syscall\""
    while read -r name _; do echo "import \"programs/$name\""; done <"$dir/programs"
    echo "func main() {"
    echo "	name, _ := syscall.Getenv(\"PROGRAM\")"
    echo "	switch name {"
    while read -r name _; do printf '\tcase "%s":\n\t\t%s.Main()\n' "$name" "$name"; done <"$dir/programs"
    echo "	}"
    echo "}"
} >"$dir/go/main.go"
printf 'module programs\n\ngo 1.19\n' >"$dir/go/go.mod"
echo "exported in $SECONDS s"
began=$SECONDS
(
    cd "$dir/go" || exit 1
    unset GOMAXPROCS GOGC GODEBUG
    export GOFLAGS=-mod=mod GOPROXY=off GOCACHE=$dir/cache GOPATH=$dir/path GO111MODULE=on CGO_ENABLED=0
    "$go" build -o "$dir/all" . || exit 1
    # gofmt finds nothing to change, vet nothing to say
    unformatted=$("$(dirname "$("$go" env GOROOT)/bin/x")/gofmt" -l s* c* g00[0-2]*)
    [ -z "$unformatted" ] || { echo "FAILED: not formatted as gofmt would: $unformatted"; exit 1; }
    "$go" vet ./s* ./c* ./g000* || { echo "FAILED: vet"; exit 1; }
) || exit 1
echo "$(wc -l <"$dir/programs") programs built in $((SECONDS - began)) s"

# ---- both ----

# How a program ended: its exit status as Go's, and the first line it said about it.
real() { # NAME RUN
    GMPSCOPE_OUTPUT=$dir/out/$1.map PROGRAM=$1 timeout 600 "$dir/all" 2>"$dir/out/$1.err"
    local status=$?
    head -z -n 1 "$dir/out/$1.map" | tr -d '\0' >"$dir/out/$1.$2" # up to the zeros behind the lines
    printf 'exit %d\n%s\n' "$status" "$(grep -m1 -E '^(fatal error|panic): ' "$dir/out/$1.err")" >>"$dir/out/$1.$2"
    rm -f "$dir/out/$1.map"
}
ours() { # NAME FILE RUN OPTIONS…
    local name=$1 file=$2 run=$3
    shift 3
    GOMAXPROCS='' timeout 1200 "$gmpscope" run "$file" --headless --procs 1 "$@" >"$dir/out/$name.$run" 2>"$dir/out/$name.err"
    local status=$? died
    died=$(grep -m1 -E '^(fatal error|panic): ' "$dir/out/$name.err")
    [ "$status" -ne 3 ] || status=2
    printf 'exit %d\n%s\n' "$status" "$died" >>"$dir/out/$name.$run"
}
# What real Go does, into NAME.go: what most of its runs agree on. Nothing is left when they agree on nothing: under load sysmon
# preempts a thread that the kernel kept waiting for 10 ms, and the rest of the run is another.
settle() { # NAME RUNS NEEDED
    local name=$1 runs=$2 need=$3 out=$dir/out/$1 best
    for ((k = 1; k <= runs; k++)); do real "$name" "go$k"; done
    best=$(cd "$dir/out" && md5sum "$name".go[0-9]* | sort | awk -v need="$need" '
        { if (++n[$1] >= need) name = $2 } END { print name }')
    rm -f "$out.go"
    [ -z "$best" ] || mv "$dir/out/$best" "$out.go"
    rm -f "$out".go[0-9]*
    [ -n "$best" ]
}
# One line: NAME and same, differs, or unsure.
compare() { # NAME FILE
    local name=$1 file=$2 out=$dir/out/$1
    ours "$name" "$file" lockstep --mode lockstep
    if ! cmp -s "$out.go" "$out.lockstep"; then
        settle "$name" 12 12 || { echo "$name unsure"; return; } # before it is called a difference
        cmp -s "$out.go" "$out.lockstep" || { echo "$name differs"; return; }
    fi
    ours "$name" "$file" free --mode free
    for again in 1 2; do # here too a thread can be kept waiting: a mutex starves after 1 ms
        cmp -s "$out.go" "$out.free" && break
        mv "$out.free" "$out.before"
        ours "$name" "$file" free --mode free
        cmp -s "$out.before" "$out.free" || { [ $again -lt 2 ] || echo "$name same-but-free-unsure"; [ $again -lt 2 ] || return; }
    done
    if cmp -s "$out.go" "$out.free"; then
        echo "$name same"
    elif starved "$file" || starved "$file" || starved "$file"; then
        echo "$name same-but-free-starved"
    else
        echo "$name differs"
    fi
}
# Does a mutex starve (somebody waited for it longer than 1 ms of real time)? Its Unlock then yields to the ring, which nothing
# else does. On a busy machine it happens here and not there, and decides what follows.
starved() { # FILE
    "$gmpscope" run "$1" --headless --procs 1 --mode free --events 2>&1 |
        awk '$4 == "g_yield" { who = $5; next } $4 == "runq_put" && who != "" && $5 == who { found = 1 } { who = "" } END { exit !found }'
}
export -f real ours settle compare starved
began=$SECONDS
while read -r name _; do settle "$name" 2 2 || settle "$name" 9 7; done <"$dir/programs"
echo "run on real Go in $((SECONDS - began)) s"
began=$SECONDS
# shellcheck disable=SC2016
xargs -P 2 -L 1 bash -c 'compare "$1" "$2"' compare <"$dir/programs" >"$dir/results"
echo "run here in $((SECONDS - began)) s"

# ---- what came of it ----

failed=0
while read -r name _; do
    file=$(awk -v n="$name" '$1 == n { print $2 }' "$dir/programs")
    echo "DIFFERS: $name ($file)"
    for run in lockstep free; do
        cmp -s "$dir/out/$name.go" "$dir/out/$name.$run" || diff -U2 "$dir/out/$name.go" "$dir/out/$name.$run" | head -20
    done
    failed=$((failed + 1))
done < <(grep ' differs$' "$dir/results")
same=$(grep -c ' same' "$dir/results")
unsure=$(grep -c ' unsure$' "$dir/results")
grep 'same-but' "$dir/results"
[ "$unsure" -eq 0 ] || grep ' unsure$' "$dir/results" | head

# Each construct is in so many of the generated programs that were compared.
used() { # WORD PATTERN
    local n
    n=$(grep -E '^g[0-9]+ same' "$dir/results" | cut -c2-5 | sed "s|.*|$dir/yaml/&.yaml|" | xargs grep -lE -- "$2" | wc -l)
    printf '%-12s %d\n' "$1" "$n"
    if [ "$n" -lt 30 ] && [ "$count" -ge 300 ]; then
        echo "FAILED: only $n programs with $1"
        failed=$((failed + 1))
    fi
}
used channel '\{(send|recv): '
used range '\{range: '
used close '\{close: '
used select '\{select: '
used mutex '\{lock: '
used rwmutex '\{(rlock|wlock): '
used waitgroup '\{wait: '
used cond '\{cond_wait: '
used yield '\{yield: '
used nested 'name: (node|starter|link)'
used overflow 'name: one'
used tick61 'name: patient'
used death 'name: mortal'
[ "$unsure" -le $((count / 10)) ] || { echo "FAILED: real Go did not agree with itself on $unsure programs"; failed=$((failed + 1)); }
echo "$shipped shipped scenarios have an order that real Go has too, $refused not; $unsure programs were not comparable"
echo "$same passed, $failed failed"
[ "$failed" -eq 0 ]
