#!/usr/bin/env bash
# The runtime's own cost: ours and Go's in turn, without a screen and with a consumer that drops its events. (asrun.sh
# measures what people run.)
#
#   run.sh bench|bench-quick BENCH_RT BENCH_GO [BENCH_PEER...]
#
# A round runs each variant of a row once: ours with events off, ours with events on, Go, Go with its tracer, the peer
# that has the row. So other load on the machine affects all variants alike. A row is printed when its rounds are done.
# BENCH_ROWS, BENCH_PROCS, BENCH_ROUNDS and BENCH_SCALE (a divisor of the work) select; BENCH_KEEP names a file for all
# single values.
set -uo pipefail
[ $# -ge 3 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
kind=$1 rt=$2 go=$3
shift 3
case $kind in bench | bench-quick) ;; *) echo "$0: bench or bench-quick, not \"$kind\"" >&2; exit 2 ;; esac
# shellcheck source=tests/bench/rows.sh
. "$(dirname "$(readlink -f "$0")")/rows.sh"
declare -A peer # of a row: the program
for program; do
    for row in $("$program"); do peer[$row]=$program; done
done
if [ "$kind" = bench-quick ]; then
    rows=${BENCH_ROWS:-spawn spawn1 pingpong prodcons yield steal700 mutex} rounds=${BENCH_ROUNDS:-7} scale=${BENCH_SCALE:-10} trace=
else
    rows=${BENCH_ROWS:-spawn spawn1 tree pingpong prodcons select yield steal700 steal7000 burst700 burst7000 burst35000 mutex park1e5
        park1e6 timers periodic echo1000 echo9000 syscall preempt idle} rounds=${BENCH_ROUNDS:-7} scale=${BENCH_SCALE:-} trace=1
fi
procs=${BENCH_PROCS:-1 2}
# shellcheck disable=SC2086 # words
check_rows "$("$rt" 2>&1 | sed -n 's/.*rows: //p')" $rows
check_numbers 1 BENCH_PROCS BENCH_ROUNDS BENCH_SCALE
check_single BENCH_ROUNDS BENCH_SCALE
check_keep
keep=${BENCH_KEEP:-}
values=$(mktemp)
trap 'rm -f "$values" "$values.err"' EXIT

# Rows that take long and vary little are measured in fewer, smaller rounds.
special() { # ROW: rounds, scale, Ps, is it traced
    case $1 in
    park1e6) echo 3 1 1 no ;;
    timers | periodic | tree) echo 7 1 "${procs// /,}" no ;;
    park1e5) echo 7 1 "${procs// /,}" yes ;;
    echo9000 | echo1000 | select) echo 7 3 "${procs// /,}" no ;;
    steal7000 | burst35000 | burst7000) echo 7 2 2 no ;;
    steal700 | burst700) echo 7 2 2 yes ;;
    preempt) echo 7 2 2 no ;;
    idle) echo 3 1 1 no ;;
    syscall | mutex | prodcons) echo 7 3 "${procs// /,}" no ;;
    *) echo 7 2 "${procs// /,}" yes ;;
    esac
}

one() { # ROUND ROW PROCS VARIANT COMMAND...: its values, each with what it belongs to
    local round=$1 row=$2 p=$3 variant=$4
    shift 4
    timeout 120 taskset -c 0,1 "$@" 2>>"$values.err" | awk -v head="$round $row $p $variant" '{ print head, $0 }' >>"$values"
    [ "${PIPESTATUS[0]}" = 0 ] || echo "$row, $p Ps, $variant: failed" >&2
}

# ---- the table ----

heading() {
    echo "$(date -u '+%Y-%m-%d %H:%M') UTC; $(machine); $("$go")"
    echo "the runtime's own cost: ns an operation (cpu: CPU time; p50, p99: us late; wakeups: a second; efficiency: more is better), median (least);"
    echo "ratios: median of the pairs of one round; Go's tracer also records call stacks; ev/op: events"
    printf '%-12s %-2s %-17s %-17s %-17s %-17s %-17s %7s %7s %8s %7s %6s %5s %5s %8s %8s\n' row P of off on go "go traced" \
        off/go on/go on/trace ev/op ns/ev lost load peer off/peer
}

lines() { # ROW PROCS: one for each value of the row
    awk -v only="$1 $2" '
function median(list, n,   i, j, t, v) {
    n = split(list, v, " ")
    for (i = 2; i <= n; i++) { t = v[i] + 0; for (j = i - 1; j > 0 && v[j] + 0 > t; j--) v[j + 1] = v[j]; v[j + 1] = t }
    least = v[1]
    return n ? v[int((n + 1) / 2)] + 0 : ""
}
function both(key,   m) { m = median(all[key]); return m == "" ? "-" : sprintf("%.4g (%.4g)", m, least) }
function plain(key, format,   m) { m = median(all[key]); return m == "" ? "-" : sprintf(format, m) }
function ratio(row, a, b, metric,   r, list) {
    for (r = 1; r <= rounds; r++)
        if ((r, row, a, metric) in value && (r, row, b, metric) in value && value[r, row, b, metric] > 0)
            list = list " " value[r, row, a, metric] / value[r, row, b, metric]
    r = median(list)
    return r == "" ? "-" : sprintf("%.3f", r)
}
$2 " " $3 == only {
    row = $2 " " $3; value[$1, row, $4, $5] = $6; all[row, $4, $5] = all[row, $4, $5] " " $6
    if ($1 > rounds) rounds = $1
    if (!(row in seen)) { order[++nrows] = row; seen[row] = 1 }
    if (!((row, $5) in has)) { has[row, $5] = 1; metrics[row] = metrics[row] " " $5 }
}
# The name of a value measured with a prefixed metric: cold_create_wall, cold_create_events.
function beside(metric, what) { return metric ~ /_wall$/ ? substr(metric, 1, length(metric) - 4) what : what }
# What an event costs its M: wall time, because at P = 1 the consumer has its own CPU; with more Ps it would share one.
function in_place(row, metric,   r, list, e) {
    if (metric !~ /wall$/ || row !~ / 1$/)
        return "-"
    e = metric; sub(/wall$/, "events", e)
    for (r = 1; r <= rounds; r++)
        if ((r, row, "on", metric) in value && (r, row, "off", metric) in value && value[r, row, "on", e] >= 1)
            list = list " " (value[r, row, "on", metric] - value[r, row, "off", metric]) / value[r, row, "on", e]
    r = median(list)
    return r == "" ? "-" : sprintf("%.1f", r)
}
function shown(row, metric) {
    if (row ~ /^park/) return metric ~ /_wall$|_bytes$/
    if (row ~ /^(steal|burst)/) return metric ~ /^(wall|efficiency)$/
    if (row ~ /^(timers|periodic)/) return metric ~ /^(cpu|p50|p99)$/
    if (row ~ /^preempt/) return metric ~ /^(p50|p99)$/
    if (row ~ /^idle/) return metric ~ /^(cpu|wakeups)$/
    if (row ~ /^echo/) return metric ~ /^(wall|cpu)$/
    return metric == "wall"
}
END {
    for (i = 1; i <= nrows; i++) {
        row = order[i]; split(row, part, " ")
        n = split(metrics[row], m, " ")
        for (k = 1; k <= n; k++)
            if (shown(row, m[k]))
                printf "%-12s %-2s %-17s %-17s %-17s %-17s %-17s %7s %7s %8s %7s %6s %5s %5s %8s %8s\n", part[1], part[2], m[k], both(row SUBSEP "off" SUBSEP m[k]),
                    both(row SUBSEP "on" SUBSEP m[k]), both(row SUBSEP "go" SUBSEP m[k]), both(row SUBSEP "trace" SUBSEP m[k]), ratio(row, "off", "go", m[k]),
                    ratio(row, "on", "go", m[k]), ratio(row, "on", "trace", m[k]), plain(row SUBSEP "on" SUBSEP beside(m[k], "events"), "%.3g"),
                    in_place(row, m[k]), plain(row SUBSEP "on" SUBSEP "lost", "%d"), plain(row SUBSEP "off" SUBSEP beside(m[k], "load"), "%.2f"),
                    (row, "peer", m[k]) in all ? sprintf("%.4g", median(all[row, "peer", m[k]])) : "-", ratio(row, "off", "peer", m[k])
    }
}' "$values"
}

# ---- the rounds ----

one_round() { # ROW PROCS ROUND TRACED DIVISOR
    local row=$1 p=$2 round=$3 traced=$4 n=$5
    one "$round" "$row" "$p" off "$rt" "$row" "$p" off "$n"
    one "$round" "$row" "$p" on "$rt" "$row" "$p" on "$n"
    one "$round" "$row" "$p" go "$go" "$row" "$p" off "$n"
    [ -n "$trace" ] && [ "$round" -le 3 ] || return
    [ "$traced" = yes ] && one "$round" "$row" "$p" trace "$go" "$row" "$p" trace "$n"
    [ -n "${peer[$row]:-}" ] && one "$round" "$row" "$p" peer "${peer[$row]}" "$row" "$p" off "$n"
}

before=$(busy) loaded=$(load) began=$SECONDS
heading
for row in $rows; do
    read -r most small ps traced <<<"$(special "$row")"
    for p in ${ps//,/ }; do
        case " $procs " in *" $p "*) ;; *) continue ;; esac
        for round in $(seq "$((rounds < most ? rounds : most))"); do
            one_round "$row" "$p" "$round" "$traced" "${scale:-$small}"
        done
        lines "$row" "$p"
    done
done
echo "$((SECONDS - began)) s; load before: $loaded, after: $(load); CPUs busy, by whoever: $(busy_since "$before")"
[ -z "$keep" ] || cp "$values" "$keep"
[ ! -s "$values.err" ] || sort "$values.err" | uniq -c | head -5 >&2
