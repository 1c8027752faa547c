# shellcheck shell=bash
# What run.sh and asrun.sh share; to be sourced. Both call these functions from their own settings.

# Ends the script if one of the words is not a row, and names the nearest row.
check_rows() { # "KNOWN ROWS" WORD...
    local known=$1 word near
    shift
    for word; do
        case " $known " in *" $word "*) continue ;; esac
        near=$(nearest "$word" "$known")
        echo "there is no row \"$word\"${near:+; did you mean \"$near\"?} The rows are: $known" >&2
        exit 2
    done
}

# Ends the script if one of these variables holds a word that is not a whole number from LEAST on.
check_numbers() { # LEAST VARIABLE...
    local least=$1 name word
    shift
    for name; do
        for word in ${!name:-}; do
            [[ $word =~ ^(0|[1-9][0-9]{0,8})$ ]] && [ "$word" -ge "$least" ] && continue
            echo "$name: expected a whole number from $least on, got \"$word\"" >&2
            exit 2
        done
    done
}

# Ends the script if one of these variables holds more than one word.
check_single() { # VARIABLE...
    local name
    for name; do
        case ${!name:-} in *" "*) echo "$name: expected one number, got \"${!name}\"" >&2 && exit 2 ;; esac
    done
}

# Ends the script if BENCH_KEEP names a file in a folder that does not exist.
check_keep() {
    [ -z "${BENCH_KEEP:-}" ] || [ -d "$(dirname "$BENCH_KEEP")" ] || { echo "BENCH_KEEP: there is no folder for $BENCH_KEEP" >&2; exit 2; }
}

# Prints the word with the least edit distance, if at most half of its letters change.
nearest() { # WORD "WORDS"
    awk -v word="$1" -v words="$2" '
    function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
    function distance(a, b,   i, j, d) {
        for (i = 0; i <= length(a); i++) d[i, 0] = i
        for (j = 0; j <= length(b); j++) d[0, j] = j
        for (i = 1; i <= length(a); i++)
            for (j = 1; j <= length(b); j++)
                d[i, j] = least(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
        return d[length(a), length(b)]
    }
    BEGIN {
        n = split(words, w, " ")
        best = 1e9
        for (i = 1; i <= n; i++) if ((d = distance(word, w[i])) < best) { best = d; near = w[i] }
        if (2 * best <= length(near)) print near
    }'
}

# What the CPUs did since the start: busy and idle ticks.
busy() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 + $9, $5 + $6 }' /proc/stat; }

machine() { echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, Linux $(uname -r)"; }

load() { cut -d' ' -f1-3 /proc/loadavg; }

busy_since() { # BUSY: the share of all CPU time since busy() printed BUSY
    echo "$1 $(busy)" | awk '{ b = $3 - $1; i = $4 - $2; printf "%.0f %%", b + i ? 100 * b / (b + i) : 0 }'
}
