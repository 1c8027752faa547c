#!/usr/bin/env bash
# One event with LTTng-UST, switched off and into buffers that are overwritten.  lttng.sh PROGRAM
#
# The session daemon is our own, with its own home, and ends with this script. If another one already serves the same
# user (root's has one place for all), that one is used and left as it is.
set -uo pipefail
export LTTNG_HOME=$(mktemp -d)
session=gmpscope-bench-$$
trap 'lttng --no-sessiond destroy $session >/dev/null 2>&1; [ -z "${daemon:-}" ] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null; rm -rf "$LTTNG_HOME"' EXIT

"$1" off
if ! lttng --no-sessiond list >/dev/null 2>&1; then
    lttng-sessiond --quiet >/dev/null 2>&1 &
    daemon=$!
    for _ in $(seq 50); do
        lttng --no-sessiond list >/dev/null 2>&1 && break
        sleep 0.1
    done
fi
if lttng --no-sessiond create "$session" --snapshot --output "$LTTNG_HOME/out" >/dev/null &&
    lttng --no-sessiond enable-channel -u -s "$session" --overwrite --subbuf-size 1M --num-subbuf 4 ring >/dev/null &&
    lttng --no-sessiond enable-event -u -s "$session" -c ring 'gmpscope_bench:*' >/dev/null &&
    lttng --no-sessiond start "$session" >/dev/null; then
    LTTNG_UST_REGISTER_TIMEOUT=-1 "$1" on
else
    echo "no LTTng session can be made here" >&2
fi
