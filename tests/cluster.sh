#!/usr/bin/env bash
# Runs the recipes of gmpscope(1), "EXPLORING ON SEVERAL MACHINES", word for word: GNU parallel over ssh to this machine, and Slurm on one node.
# Only NAME, the hosts and the number of seeds are filled in. It starts an ssh server and the daemons of Slurm for itself, and ends them.
# cluster.sh GMPSCOPE: prints a line for each test and "N passed, N failed[, N skipped]".
set -uo pipefail
gmpscope=$(realpath "$1")
work=$(mktemp -d) || exit 1
chmod 755 "$work"
passed=0 failed=0 skipped=0 daemons=()
# shellcheck disable=SC2317 # the trap calls it
end() {
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$work"
}
trap end EXIT
check() { # NAME COMMAND…
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit $?"
        head -n 20 "$work/output"
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
has() { command -v "$1" >/dev/null || PATH=$PATH:/usr/sbin command -v "$1" >/dev/null; }
await() { # SECONDS COMMAND…: until it succeeds
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep 0.2
    done
}
export PATH=$work/bin:$PATH:/usr/sbin HOME=$work
mkdir "$work/bin" "$work/submissions" "$work/run"
ln -s "$gmpscope" "$work/bin/gmpscope"
cd "$work" || exit 1

# recipe WORD: the lines of the example whose first line begins with WORD, as the manual prints them, filled in
recipe() {
    gmpscope help gmpscope | sed -n '/^EXPLORING ON SEVERAL MACHINES/,/^[A-Z][A-Z]*$/p' |
        awk -v word="$1" '/^        / { on = on || index($0, "        " word) == 1; if (on) print; next } on { exit }' |
        sed -e "s|NAME|$work/chance.yaml|" -e 's/HOST1,HOST2/first,second/' -e 's/100000/60/'
}
cat >chance.yaml <<'EOF'
name: chance
goroutines:
  - name: main
    do: [{go: worker, count: 2}, {compute: 50us}]
  - name: worker
    do: [{compute: 2us}, {print: "{i}"}]
expect:
  - prints: ["0", "1"]
EOF
sed 's/prints: .*/prints: ["1", "0"]/' chance.yaml >submissions/wrong.yaml
sed 's/prints: .*/ends: main_returned/' chance.yaml >submissions/right.yaml
gmpscope explore chance.yaml --seeds 60 --failures 1000 --json >whole.json
gmpscope explore chance.yaml --seeds 60 --failures 1000 >whole.txt
plain() { sed -e 's/ schedules in .* process[es]*,/,/' "$1" | sed -e "s|$work/||g"; }
# together: what the recipe's last line printed is what one process printed
together() { diff <(plain whole.txt) <(plain merged.txt | grep -v "^Submitted batch job"); }
run() { # RECIPE: its text and its errors are shown if the test fails
    echo "$1"
    [ -n "$1" ] && bash -c "$1" >merged.txt 2>err.txt
    cat err.txt
}
explored() { # WORD
    rm -f part-* merged.txt
    run "$(recipe "$1")"
    together
}
claimed() { # WORD: the same with a claim; the parts answer as one process does
    rm -f part-* merged.txt
    gmpscope claim chance.yaml 'never: prints: 1' --seeds 60 >whole-claim.txt
    local quoted='"never: prints: 1"'
    case $1 in parallel) quoted="'$quoted'" ;; esac # Slurm's line is in quotes already
    run "$(recipe "$1" | sed -e "s|explore $work/chance.yaml|claim $work/chance.yaml $quoted|" -e 's/explore --merge/claim --merge/')"
    diff <(sed -e "s|$work/||g" whole-claim.txt) <(sed -e "s|$work/||g" merged.txt | grep -v "^Submitted batch job")
}
homework() { # "right.yaml" passes, "wrong.yaml" does not
    run "$(recipe "$1")"
    cat merged.txt ./result-*.txt
    grep -q "2 passed, 0 failed" ./merged.txt ./result-*.txt && grep -q "wrong.yaml:[0-9]*:[0-9]*:" ./merged.txt err.txt ./result-*.txt
}

check "a part of one is the whole" bash -c 'gmpscope explore chance.yaml --seeds 60 --json --shard 1/1 >one.json; gmpscope explore --merge one.json >merged.txt; [ $? = 1 ]'
check "it reports the same" together

# Three ports in a row, below those that the kernel gives to clients.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port=$((20000 + $$ % 10000))
while taken "$port" || taken $((port + 1)) || taken $((port + 2)); do port=$((20000 + RANDOM % 10000)); done

# ---- GNU parallel over ssh ----

if has parallel && has sshd; then
    mkdir -p .ssh .parallel && chmod 700 .ssh && touch .parallel/will-cite
    ssh-keygen -q -t ed25519 -N '' -f .ssh/host && ssh-keygen -q -t ed25519 -N '' -f .ssh/id
    cp .ssh/id.pub .ssh/authorized
    cat >sshd_config <<EOF
Port $port
ListenAddress 127.0.0.1
HostKey $work/.ssh/host
AuthorizedKeysFile $work/.ssh/authorized
StrictModes no
PidFile none
MaxStartups 100
UsePAM no
SetEnv PATH=$PATH
EOF
    cat >ssh_config <<EOF
Host first second
    HostName 127.0.0.1
    Port $port
    IdentityFile $work/.ssh/id
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
EOF
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    "$(command -v sshd)" -D -e -f "$work/sshd_config" 2>sshd.log &
    daemons+=($!)
    export PARALLEL_SSH="ssh -F $work/ssh_config"
    if await 20 ssh -F ssh_config first true; then
        check "eight parts, by GNU parallel over ssh to two names of this machine" explored parallel
        check "a claim in eight parts, by GNU parallel" claimed parallel
        check "a folder of submissions, by GNU parallel" homework "parallel --tag"
    else
        check "the ssh server answers" cat sshd.log /nothing
    fi
else
    skip "GNU parallel or an ssh server is not installed"
fi

# ---- Slurm, one node ----

slurm() {
    local name
    name=$(hostname -s)
    head -c 1024 /dev/urandom >key && chmod 400 key
    cat >slurm.conf <<EOF
ClusterName=trial
SlurmctldHost=$name(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/run/munge
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$((port + 1))
SlurmdPort=$((port + 2))
StateSaveLocation=$work/run
SlurmdSpoolDir=$work/run
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$name NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$work/slurm.conf
    munged --foreground --force --key-file="$work/key" --socket="$work/run/munge" --pid-file="$work/run/munged.pid" \
        --log-file="$work/munged.log" --seed-file="$work/run/seed" >/dev/null 2>&1 &
    daemons+=($!)
    await 20 test -S "$work/run/munge" || return 1
    slurmctld -D -i >/dev/null 2>&1 &
    daemons+=($!)
    slurmd -D >/dev/null 2>&1 &
    daemons+=($!)
    await 60 bash -c 'sinfo --noheader --format=%T | grep -q idle'
}
if has slurmctld && has slurmd && has munged; then
    if slurm; then
        check "eight parts, as an array of jobs of Slurm" explored "sbatch --wait --array=1-8"
        check "a claim in eight parts, by Slurm" claimed "sbatch --wait --array=1-8"
        check "a folder of submissions, by Slurm" homework "ls submissions"
    else
        check "Slurm starts" cat slurmctld.log slurmd.log munged.log /nothing
    fi
else
    skip "slurm-wlm is not installed"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
