#!/usr/bin/env bash
# Compares one program on real Go and here: judge.sh NAME CLASS PROGRAM FILE GENERATION. Prints one line: NAME CLASS VERDICT RUNS, where
# RUNS is how often real Go ran. Environment: gmpscope, dir.
#
#   same        every run of real Go had the same outcome, and so had ours
#   one-of      real Go had several outcomes, and each of ours was among them
#   rare        the same, but lockstep's outcome came in at most one in ten of real Go's runs, and most of them agreed on another
#   undecided   the machine is too busy: real Go hardly agrees with itself, or our free runs do not
#   starved     undecided, because in our free run a G waited longer than 1 ms of real time for a mutex, which went into starvation mode
#   differs     real Go agrees with itself, and has no outcome of ours
#
# An outcome is what was printed, how the program ended, and which goroutines were listed. Real Go runs three times, and more often if it disagrees with itself
# or with us.
set -uo pipefail
: "${gmpscope:?}" "${dir:?}"
name=$1 class=$2 program=$3 file=$4 generation=$5
out=$dir/out/$name
asked=0
case $class in # random choices have rare outcomes
select) steps=(3 20 60 200) ;;
*) steps=(3 12 40) ;;
esac

# Prints the list of goroutines of a program that died: each with its place among the listed ids (real Go has more of its own), what it waits for
# (1.19, which stands for go1.20, calls every wait for a mutex a semacquire), the function that created it and, since 1.21, that one's place.
listing() {
    awk -v old="$([ "$generation" = go1.20 ] && echo 1)" '
        function rank(g,  j, r, listed) { for (j = 1; j <= n; j++) { r += id[j] < g; listed += id[j] == g } return listed ? r + 1 : "that is gone" }
        /^goroutine [0-9]+ \[/ { id[++n] = $2; sub(/^goroutine [0-9]+ /, ""); if (old) gsub(/sync\.(RW)?Mutex\.R?Lock/, "semacquire"); line[n] = $0 }
        /^created by / { if (match($0, / in goroutine [0-9]+/)) parent[n] = substr($0, RSTART + 14, RLENGTH - 14) + 0
                         sub(/ in goroutine .*/, ""); sub(/.*\./, ""); sub(/^Main$/, "main"); by[n] = $0 }
        END { for (i = 1; i <= n; i++) print "goroutine", rank(id[i]), line[i], by[i], (i in parent) ? "in " rank(parent[i]) : "" }' "$out.err"
}
# Makes "$out.now" one more outcome of a list, and one example of it.
keep() { # LIST
    local sum
    sum=$(md5sum <"$out.now")
    sum=${sum%% *}
    echo "$sum" >>"$out.$1"
    mv "$out.now" "$out.$1.$sum"
}
# Appends the status, the first line about the end and the list of goroutines to the output; the checksum of all that becomes a line of "$out.$2".
outcome() { # STATUS LIST
    printf 'exit %d\n%s\n%s\n' "$1" "$(grep -m1 -E '^(fatal error|panic): ' "$out.err")" "$(listing)" >>"$out.now"
    keep "$2"
}
real() {
    GMPSCOPE_OUTPUT=$out.map PROGRAM=$name timeout 60 "$program" 2>"$out.err"
    local status=$?
    head -z -n 1 "$out.map" | tr -d '\0' >"$out.now" # up to the zeros that follow the lines
    outcome "$status" go
    rm -f "$out.map"
}
ours() { # LIST OPTIONS…
    local list=$1
    shift
    GOMAXPROCS='' timeout 600 "$gmpscope" run "$file" --headless --procs 1 --generation "$generation" "$@" >"$out.now" 2>"$out.err"
    local status=$?
    [ "$status" -ne 3 ] || status=2
    outcome "$status" "$list"
}
ask() { for (( ; asked < $1; asked++)); do real; done; } # until real Go has run so often
outcomes() { sort -u "$out.$1" | wc -l; }
share() { sort "$out.$1" | uniq -c | sort -rn | awk 'NR == 1 { top = $1 } { n += $1 } END { print int(100 * top / n) }'; } # the share of the most common outcome
strange() { sort -u "$out.$1" | grep -vxFf "$out.go"; } # outcomes of ours that real Go did not have
frequent() { awk -v sum="$(head -1 "$out.lockstep")" '$0 == sum { n++ } END { exit !(10 * n > NR) }' "$out.go"; } # lockstep's, in real Go
seen() { [ -z "$(strange "$1")" ]; }

# Returns whether a mutex starves: its Unlock then yields to the ring, which nothing else does.
starved() {
    "$gmpscope" run "$file" --headless --procs 1 --generation "$generation" --mode free --events 2>&1 |
        awk '$4 == "g_yield" { g = $5; next } $4 == "runq_put" && g != "" && $5 == g { found = 1 } { g = "" } END { exit !found }'
}

# Our lockstep runs are deterministic: each must be an outcome of real Go.
judge_lockstep() {
    if seen lockstep; then
        [ "$class" = select ] || frequent || [ "$(share go)" -lt 60 ] || verdict=rare
        return
    fi
    [ "$class" = select ] || [ "$(share go)" -ge 60 ] || { verdict=undecided; return; }
    verdict=differs
}
# A free run can be disturbed like one of real Go. If most of five more have an outcome of real Go, it was the machine.
judge_free() {
    local good
    seen free && return
    for _ in 1 2 3 4 5; do ours again --mode free; done
    good=$(grep -cxFf "$out.go" "$out.again")
    [ "$good" -lt 3 ] || return
    [ "$good" -eq 0 ] && [ "$(share go)" -ge 60 ] && [ "$(share again)" -ge 60 ] || { verdict=undecided; return; }
    verdict=differs
    { starved || starved || starved; } && verdict=starved
}

rm -f "$out".*
# A program that is written for Go by hand: what it prints, on several Ps, against ours or against what a query answers ("# query: …" in our file). Most of five
# runs must agree.
if [ "$class" = fixed ]; then
    procs=$(sed -n 's/^scheduler: .*gomaxprocs: \([0-9]*\).*/\1/p' "$file")
    query=$(sed -n 's/^# query: //p' "$file")
    for _ in 1 2 3 4 5; do
        GOMAXPROCS=$procs PROGRAM=$name timeout 60 "$program" 2>"$out.now" || echo "exit $?" >>"$out.now"
        keep go
    done
    if [ -n "$query" ]; then "$gmpscope" query "$file" "$query" --generation "$generation"; else
        "$gmpscope" run "$file" --headless --mode lockstep --generation "$generation"
    fi >"$out.now" 2>&1
    keep lockstep
    cp "$out.lockstep" "$out.free"
    good=$(grep -cxFf "$out.lockstep" "$out.go")
    verdict=differs
    [ "$good" -lt 3 ] || verdict=one-of
    [ "$good" -lt 5 ] || verdict=same
    echo "$name $class $verdict 5"
    exit
fi
seeds=1
[ "$class" = select ] && seeds=4
for ((seed = 1; seed <= seeds; seed++)); do ours lockstep --mode lockstep --seed "$seed"; done
ours free --mode free
for step in "${steps[@]}"; do
    ask "$step"
    seen lockstep && seen free && { [ "$(outcomes go)" -eq 1 ] || { [ "$asked" -gt 3 ] && { [ "$class" = select ] || frequent; }; }; } && break
done
verdict=same
[ "$(outcomes go)" -eq 1 ] || verdict=one-of
judge_lockstep
[ "$verdict" = differs ] || judge_free
echo "$name $class $verdict $asked"
