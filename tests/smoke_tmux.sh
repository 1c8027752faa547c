#!/usr/bin/env bash
# One look through a second terminal emulator and a real shell: smoke_tmux.sh GMPSCOPE. Starts, pauses, steps, quits; the
# shell's line settings are the same afterwards. Polls for texts; exit 77 where tmux is absent.
set -u
bin=$1
command -v tmux >/dev/null || { echo "tmux is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
unset TMUX
export XDG_STATE_HOME=$dir/state
tm() { tmux -S "$dir/socket" -f "$dir/conf" "$@"; }
finish() {
    tm kill-server 2>/dev/null
    rm -rf "$dir"
}
trap finish EXIT
printf '%s\n' 'set -g escape-time 0' 'set -g status off' 'set -g default-size 120x40' >"$dir/conf"

fail() {
    echo "smoke_tmux: $1"
    tm capture-pane -p
    echo "0 passed, 1 failed"
    exit 1
}
# wait_for WHAT COMMAND…: until the command succeeds, at most 300 s.
wait_for() {
    local what=$1
    shift
    for _ in $(seq 3000); do
        "$@" && return
        sleep 0.1
    done
    fail "waited for $what"
}
shows() { tm capture-pane -p | grep -qF -- "$1"; }
gone() { ! shows "$1"; }
event() { tm capture-pane -p | sed -n 's/.*event \([0-9][0-9]*\).*/\1/p' | head -1; }
counts() { [ -n "$(event)" ]; }
past() { [ "$(event)" -gt "$1" ] 2>/dev/null; }

tm new-session -d "stty -a >'$dir/before'; '$bin' run steal-half --tempo 10; echo \$? >'$dir/status'; stty -a >'$dir/after'; exec sleep 3600" ||
    fail "tmux does not start"
wait_for "the first frame" shows Threads
wait_for "events" past 3
tm send-keys Space
wait_for "the pause" shows PAUSED
wait_for "the number of the event" counts
before=$(event)
tm send-keys s
wait_for "a step" past "$before"
tm resize-window -x 80 -y 24
wait_for "80x24" shows P0
tm send-keys q
wait_for "the end" test -s "$dir/after"
tm resize-window -x 120 -y 40
[ "$(cat "$dir/status")" = 0 ] || fail "exit status $(cat "$dir/status")"
sed -i 's/rows [0-9]*; columns [0-9]*;//' "$dir/before" "$dir/after"
cmp -s "$dir/before" "$dir/after" || fail "the line settings differ: $(diff "$dir/before" "$dir/after")"
wait_for "the shell's screen" gone Threads # tmux may read what the program wrote at its end later than the shell writes its file
echo "1 passed, 0 failed"
