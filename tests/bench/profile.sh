#!/usr/bin/env bash
# Where the time of an as-run row goes: its CPU samples, by what the code is for.
#
#   profile.sh GMPSCOPE ROW PROCS [--screen BENCH_ONCE]
#
# GMPSCOPE: built with -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-g -DCMAKE_EXE_LINKER_FLAGS=-no-pie, so that each
# sample has its source line. Each sample counts for the innermost inlined function. Needs perf and addr2line.
# PROFILE_RUNS: how many runs are added up (3). PROFILE_FUNCTIONS=1: the functions too.
set -uo pipefail
[ $# -ge 3 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
gmpscope=$1 row=$2 procs=$3 once=${5:-}
here=$(dirname "$(readlink -f "$0")")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
size=n=1000
[ "$row" != tree ] || size=depth=16
command=("$gmpscope" run "$here/scenarios/$row.yaml" --mode free --procs "$procs" --vary "$size")
if [ -n "$once" ]; then
    command=("$once" --screen "${command[@]}" --layout classic)
else
    command+=(--headless --limit 600s --max-events 1000000000)
fi
for _ in $(seq "${PROFILE_RUNS:-3}"); do
    TMPDIR=$temp timeout 300 perf record -F 1999 -e cpu-clock -o "$temp/data" -- "${command[@]}" >"$temp/said" 2>&1 || {
        cat "$temp/said" >&2
        exit 1
    }
    perf script -i "$temp/data" -F comm,pid,tid,ip,dso 2>/dev/null >>"$temp/samples"
done
# A line: COMM PID/TID IP (DSO). The first thread of the process is the consumer without a screen, else the screen's.
awk '{
    dso = $NF; gsub(/[()]/, "", dso); ip = $(NF - 1); split($(NF - 2), id, "/")
    print ($1 == "session" ? "session" : id[1] == id[2] ? "main" : "M"), ip, dso ~ /gmpscope$/ ? "own" : dso ~ /kernel|unknown/ ? "kernel" : dso
}' "$temp/samples" >"$temp/list"
awk '$3 == "own" { print $2 }' "$temp/list" | sort -u >"$temp/addresses"
addr2line -f -i -a -e "$gmpscope" <"$temp/addresses" | awk '
    /^0x/ { ip = $1; sub(/^0x0*/, "", ip); getline f; getline where; sub(/ .*/, "", where); sub(/.*\/src\//, "", where); sub(/:.*/, "", where); print ip, f, where }' >"$temp/places"
awk -v functions="${PROFILE_FUNCTIONS:-}" -v row="$row" -v procs="$procs" -v screen="$once" '
function consumer(thread) { return thread == "session" || (thread == "main" && !screen) }
function part(thread, where) {
    if (!consumer(thread) && where ~ /^(runtime\/sched\/(emit|log)|eventlog\/)/) return thread == "M" ? "M: record events" : "screen: its thread"
    if (where ~ /^eventlog\/events.def/) return "consumer: fold"
    if (where ~ /^eventlog\//) return "consumer: merge"
    if (thread == "main" && screen) return where ~ /^model\/history/ ? "screen: read the history" : where ~ /^ui|^canvas/ ? "screen: paint" : "screen: the rest"
    if (where ~ /^model\/history_(index|query)|^model\/activity/) return "consumer: index the history"
    if (where ~ /^model\/history/) return "consumer: keep the history"
    if (where ~ /^model\/(search|spawns|meters|gauge|matcher|pattern|stop|invariant|work_cons)/) return "consumer: search steps, meters, checks"
    if (where ~ /^model\/count/) return "consumer: count"
    if (where ~ /^model\//) return "consumer: fold"
    if (where ~ /^scenario\/expect/) return "consumer: claims"
    if (where ~ /^(engine|session)\//) return "consumer: the rest"
    if (where ~ /^scenario\/|^base\/expr/) return thread == "M" ? "M: interpreter" : "start and end"
    if (where ~ /^runtime\//) return thread == "M" ? "M: runtime" : "start and end"
    if (where ~ /^conductor\//) return thread == "M" ? "M: clock, conductor" : "consumer: the rest"
    return (thread == "M" ? "M: " : consumer(thread) ? "consumer: " : "screen: ") (where ~ /kernel/ ? "kernel" : where ~ /libc|ld-/ ? "libc" : where ~ /vdso/ ? "clock" : "other")
}
FNR == NR { place[$1] = $3; name[$1] = $2; next }
{
    where = $3 == "own" ? place[$2] : $3
    who = part($1, where); n[who]++; all++
    if ($3 == "own") f[who "\t" name[$2] "  " where]++
}
END {
    printf "%s, %d Ps%s: %d samples\n", row, procs, screen ? ", on a screen" : "", all
    sorter = "sort -t\"|\" -k2,2nr"
    for (w in n) printf "  %-42s|%5.1f %%\n", w, 100 * n[w] / all | sorter
    close(sorter)
    if (!functions) exit
    sorter = "sort -t\"|\" -k2,2nr | head -40"
    for (w in f) { split(w, part_of, "\t"); printf "    %-60s|%5.1f %%  %s\n", part_of[2], 100 * f[w] / all, part_of[1] | sorter }
}' "$temp/places" "$temp/list"
