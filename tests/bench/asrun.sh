#!/usr/bin/env bash
# The rows as people run them: whole processes of gmpscope, and of the same programs exported to Go, in turn.
#
#   asrun.sh full|quick|once GMPSCOPE FOLDER [GO]
#
# FOLDER has bench_once and bench_kernel. Go's programs are built in it, once for each size. A round runs each variant of a
# row once: ours, that of BENCH_BASE, Go, Go traced to a file, ours with the screen. A row is printed when its rounds are
# done. BENCH_ROWS, BENCH_PROCS, BENCH_ROUNDS, BENCH_WATCHED (rounds with the screen) and BENCH_SCALE (a divisor of the
# work) select. BENCH_BASE names another gmpscope to compare with. BENCH_KEEP names a file for all single values;
# with quick its name gets the ending .asrun, because bench-quick runs run.sh before, which keeps its values there.
set -uo pipefail
[ $# -eq 3 ] || [ $# -eq 4 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
kind=$1 ours=$2 once=$3/bench_once kernel=$3/bench_kernel folder=$3/asrun go=${4:-}
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/bench/rows.sh
. "$here/rows.sh"
known="spawn pingpong tree tasks prodcons parked mutex echo lockstep explore"
case $kind in
full) rows=$known rounds=5 scale=1 watched=3 ;;
quick) rows="spawn pingpong prodcons lockstep explore" rounds=3 scale=10 watched=1 ;;
once) rows=$known rounds=1 scale=1000 watched=1 ;;
*) echo "$0: full, quick or once, not \"$kind\"" >&2; exit 2 ;;
esac
rows=${BENCH_ROWS:-$rows} rounds=${BENCH_ROUNDS:-$rounds} scale=${BENCH_SCALE:-$scale} procs=${BENCH_PROCS:-1 2} watched=${BENCH_WATCHED:-$watched}
base=${BENCH_BASE:-}
# shellcheck disable=SC2086 # words
check_rows "$known" $rows
check_numbers 1 BENCH_PROCS BENCH_ROUNDS BENCH_SCALE
check_numbers 0 BENCH_WATCHED
check_single BENCH_ROUNDS BENCH_SCALE BENCH_WATCHED
check_keep
[ -z "$base" ] || [ -x "$base" ] || { echo "BENCH_BASE: $base is no program" >&2; exit 2; }
mkdir -p "$folder" || exit 2
temp=$(mktemp -d) failed=0
trap 'rm -rf "$temp"' EXIT
export TMPDIR=$temp # of the exported programs and of the history

# The size of a row, as its scenario's `vary` names it. The third argument multiplies it.
size() { # ROW DIVISOR [TIMES]
    local n=$((1000 * ${3:-1} / $2)) depth=16 left=$2 times=${3:-1}
    [ "$1" = tree ] || { echo "n=$((n > 0 ? n : 1))"; return; }
    while [ $((left /= 2)) -gt 0 ]; do depth=$((depth - 1)); done
    while [ $((times /= 2)) -gt 0 ]; do depth=$((depth + 1)); done
    echo "depth=$((depth > 1 ? depth : 1))"
}

# How many times as large a row is on a screen, and headless next to it. The first and the last frame take as long as a short row.
times() { # ROW
    case $1 in
    tree | tasks | prodcons | mutex) echo 10 ;;
    *) echo 1 ;;
    esac
}

# ---- Go's programs ----

# A second copy writes Go's execution trace into the file that BENCH_TRACE names.
traced() {
    sed -e 's/^\topenOutput()$/&\n\tdefer startTrace()()/' "$1"
    cat <<'GO'

func startTrace() func() {
	file, err := traceos.Create(traceos.Getenv("BENCH_TRACE"))
	if err == nil {
		err = trace.Start(file)
	}
	if err != nil {
		panic(err)
	}
	return func() {
		trace.Stop()
		file.Close()
	}
}
GO
}

# An import must come before all declarations; the exported program has one block of them.
with_imports() { sed -e 's/^import ($/&\n\ttraceos "os"\n\t"runtime\/trace"\n/'; }

build_one() { # FILE.go: builds FILE if the text has changed
    cmp -s "$temp/new.go" "$1" && [ -x "${1%.go}" ] && return
    cp "$temp/new.go" "$1" && GO111MODULE=off GOFLAGS="" "$go" build -o "${1%.go}" "$1"
}

build() { # ROW: prints the program's name without its variant
    local name
    name=$folder/$1-$(size "$1" "$scale")
    "$ours" export "$here/scenarios/$1.yaml" --format go --vary "$(size "$1" "$scale")" >"$temp/source.go" || return
    cp "$temp/source.go" "$temp/new.go" && build_one "$name.go" || return
    traced "$temp/source.go" | with_imports >"$temp/new.go" && build_one "$name-traced.go" || return
    echo "$name"
}

# ---- one value ----

# What the summary counts: the schedules of explore, the events of a run.
counted() {
    local what=events
    [ "$row" != explore ] || what=schedules
    sed -n "s/.*\"$what\":\([0-9]*\).*/\1/p" "$temp/said" | head -1
}

measure() { # VARIANT COMMAND...: notes round, row, Ps, variant, wall ms, CPU ms, KiB, events
    local variant=$1 got
    shift
    got=$(timeout 120 "$once" "$@" 2>"$temp/said") || {
        echo "$row, $p Ps, $variant: failed: $(head -c 300 "$temp/said")" >&2
        failed=1
        return
    }
    echo "$round $row $p $variant $got $(counted)" >>"$temp/values"
}

# No option is there but the mode, the size, and limits that the whole run fits into.
headless() { # VARIANT GMPSCOPE DIVISOR [TIMES]
    measure "$1" "$2" run "$here/scenarios/$row.yaml" --mode free --headless --json --procs "$p" --vary "$(size "$row" "$3" "${4:-1}")" \
        --limit 600s --max-events 1000000000
}
on_screen() { # VARIANT GMPSCOPE DIVISOR [TIMES]
    measure "$1" --screen "$2" run "$here/scenarios/$row.yaml" --mode free --layout classic --procs "$p" --vary "$(size "$row" "$3" "${4:-1}")"
}

one_round() {
    headless ours "$ours" "$scale"
    [ -z "$base" ] || headless base "$base" "$scale"
    if [ -n "$program" ]; then
        GOMAXPROCS=$p measure go "$program"
        GOMAXPROCS=$p BENCH_TRACE=$temp/trace measure traced "$program-traced"
    fi
    [ "$round" -le "$watched" ] || return
    headless tiny "$ours" 1000
    on_screen watched-tiny "$ours" 1000
    headless unwatched "$ours" "$scale" "$(times "$row")"
    on_screen watched "$ours" "$scale" "$(times "$row")"
}

# Lockstep: `busy` has all kinds of events. explore: as it is, with all CPUs.
serial_round() {
    local variant program
    for variant in ours base; do
        program=$ours
        [ "$variant" = ours ] || program=$base
        [ -n "$program" ] || continue
        case $row in
        lockstep) measure "$variant" "$program" run "$here/scenarios/busy.yaml" --mode lockstep --headless --json --max-events $((500000 / scale)) ;;
        explore) measure "$variant" "$program" explore "$here/../../scenarios/steal-half.yaml" --json --seeds $((5000 / scale)) ;;
        esac
    done
}

# ---- the table ----

heading() {
    echo "$(date -u '+%Y-%m-%d %H:%M') UTC; $(machine); $([ -z "$go" ] || "$go" version)"
    echo "as people run it: whole processes, medians; ratios are medians of the pairs of one round; traced: Go with runtime/trace to a file;"
    echo "watched/headless: on a screen of 200x60, without the time to start and to show the end${base:+; base: $base}"
    printf '%-9s %-2s | %8s %8s %7s %8s | %8s %8s %7s %8s | %7s %6s %6s %9s %7s | %7s %6s' row P ms "CPU ms" MiB rate "Go ms" "CPU ms" MiB traced \
        ours/Go CPU memory ours/trcd Go/trcd watched CPU
    [ -z "$base" ] || printf ' | %9s %6s' ours/base CPU
    printf '\n'
}

line() { # UNIT DIVISOR: of the rate, from the count of a run
    awk -v row="$row" -v p="$p" -v base="$base" -v unit="$1" -v divisor="$2" '
    function median(list,   n, i, j, t, v) {
        n = split(list, v, " ")
        for (i = 2; i <= n; i++) { t = v[i] + 0; for (j = i - 1; j > 0 && v[j] + 0 > t; j--) v[j + 1] = v[j]; v[j + 1] = t }
        return n ? v[int((n + 1) / 2)] + 0 : ""
    }
    function shown(variant, k, divisor, format,   m) { m = median(all[variant, k]); return m == "" ? "-" : sprintf(format, m / divisor) }
    function ratio(a, b, k,   r, list) {
        for (r = 1; r <= rounds; r++) if (value[r, b, k] > 0 && (r, a, k) in value) list = list " " value[r, a, k] / value[r, b, k]
        r = median(list)
        return r == "" ? "-" : sprintf("%.2f", r)
    }
    # The tiny run has the start, the first frame and the last one. A row that takes hardly longer than that on a screen says nothing.
    function seen(k,   r, list) {
        for (r = 1; r <= rounds; r++)
            if ((r, "watched", k) in value && value[r, "unwatched", k] > 3 * value[r, "watched-tiny", k])
                list = list " " (value[r, "watched", k] - value[r, "watched-tiny", k]) / (value[r, "unwatched", k] - value[r, "tiny", k])
        r = median(list)
        return r == "" ? "-" : sprintf("%.2f", r)
    }
    $2 == row && $3 == p {
        for (k = 1; k <= 3; k++) { value[$1, $4, k] = $(k + 4); all[$4, k] = all[$4, k] " " $(k + 4) }
        if ($4 == "ours" && $8) rate = rate " " $8 / $5 * 1000 / divisor
        if ($1 > rounds) rounds = $1
    }
    END {
        rate = median(rate)
        printf "%-9s %-2s | %8s %8s %7s %8s | %8s %8s %7s %8s | %7s %6s %6s %9s %7s | %7s %6s", row, p ? p : "", shown("ours", 1, 1, "%.1f"), shown("ours", 2, 1, "%.1f"),
            shown("ours", 3, 1024, "%.1f"), rate == "" ? "-" : sprintf(rate < 100 ? "%.3g %s" : "%.0f %s", rate, unit), shown("go", 1, 1, "%.1f"), shown("go", 2, 1, "%.1f"),
            shown("go", 3, 1024, "%.1f"), shown("traced", 1, 1, "%.1f"), ratio("ours", "go", 1), ratio("ours", "go", 2), ratio("ours", "go", 3),
            ratio("ours", "traced", 1), ratio("go", "traced", 1), seen(1), seen(2)
        if (base) printf " | %9s %6s", ratio("ours", "base", 1), ratio("ours", "base", 2)
        printf "\n"
    }' "$temp/values"
}

free_row() {
    program=
    [ -z "$go" ] || program=$(build "$row") || failed=1
    for p in $procs; do
        for round in $(seq "$rounds"); do
            one_round
        done
        line M/s 1000000
    done
}

serial_row() { # UNIT DIVISOR
    p=0
    for round in $(seq "$rounds"); do
        serial_round
    done
    line "$@"
}

# What the kernel needs for what the rows lockstep and explore do most.
kernel_lines() {
    "$kernel" | sort -k1,1 -k2n | awk '
    { v[$1, ++n[$1]] = $2 }
    function mid(what) { return v[what, int((n[what] + 1) / 2)] }
    END {
        printf "to pass the baton to another thread: %s ns on the same CPU, %s ns on another (least %s, %s)\n", mid("switch"), mid("across"), v["switch", 1], v["across", 1]
        printf "a new process, ended at once: %s µs (least %s)\n", mid("process"), v["process", 1]
    }'
}

touch "$temp/values"
before=$(busy) loaded=$(load) began=$SECONDS
heading
for row in $rows; do
    case $row in
    lockstep) serial_row M/s 1000000 ;;
    explore) serial_row 1/s 1 ;;
    *) free_row ;;
    esac
done
case " $rows " in *" lockstep "* | *" explore "*) kernel_lines ;; esac
echo "$((SECONDS - began)) s; load before: $loaded, after: $(load); CPUs busy, by whoever: $(busy_since "$before")"
keep=${BENCH_KEEP:-}
[ "$kind" != quick ] || keep=${keep:+$keep.asrun}
[ -z "$keep" ] || cp "$temp/values" "$keep"
exit $failed
