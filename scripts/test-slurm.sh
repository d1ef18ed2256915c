#!/usr/bin/env bash
# Runs shards on a Slurm that is started for this alone: a controller and two nodes of one processor, on loopback, in a folder that is gone afterwards. Undisturbed with 1, 2 and 4 shards,
# then with a task that is killed in the middle, then with a file that is lost. Each time the merged record has to be that of one run, and only what was lost may be run again.
#     scripts/test-slurm.sh [DODONA]
# Skipped, with a word, where Slurm is not installed or cannot be started; with DODONA_NO_SKIPS that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
dodona=$(realpath "${1:-${CARGO_TARGET_DIR:-$HOME/.cache/dodona/target}/debug/dodona}")

skip() {
    echo "skipped: shards on Slurm: $1" >&2
    [ -z "${DODONA_NO_SKIPS:-}" ]
    exit
}

for program in slurmctld slurmd sbatch munged mungekey; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "$program is not installed (Debian: slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip "only root starts nodes"
export PATH=$PATH:/usr/sbin

work=$(mktemp -d)
end() { # TERM to those that wrote their number, nodes first
    for name in slurmd-n1 slurmd-n2 slurmctld munged; do
        [ -e "$work/$name.pid" ] && kill "$(cat "$work/$name.pid")" 2>/dev/null || true
    done
    sleep 1
    rm -rf "$work"
}
trap end EXIT

host=$(hostname -s)
getent hosts "$host" >/dev/null || skip "the name of this host, $host, has no address"
mkdir -p "$work"/{state,spool/n1,spool/n2}
cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.sock,cred_expire=5
CryptoType=crypto/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldPort=26817
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool/%n
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$work/jobcomp.txt
KillWait=2
MinJobAge=3600
MaxArraySize=10001
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=26821 CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=26822 CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
mungekey --create --keyfile="$work/key" && chmod 400 "$work/key"
munged --force --socket="$work/munge.sock" --key-file="$work/key" --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/seed" || skip "munged does not start"
slurmctld -f "$SLURM_CONF" || skip "slurmctld does not start"
slurmd -N n1 -f "$SLURM_CONF" && slurmd -N n2 -f "$SLURM_CONF" || skip "slurmd does not start"
for _ in $(seq 60); do
    [ "$(sinfo --noheader --Node --format=%t 2>/dev/null | grep -c idle)" -eq 2 ] && break
    sleep 0.5
done
[ "$(sinfo --noheader --Node --format=%t | grep -c idle)" -eq 2 ] || skip "its nodes do not come up"

subjects=(triangle mymethod tcas fib)
prepare() { # prepare FOLDER
    mkdir "$1"
    for subject in "${subjects[@]}"; do cp -r "$root/subjects/$subject" "$1"; done
}
options=(--inputs 300 --mutants 600)

prepare "$work/whole"
begun=$(date +%s.%N)
(cd "$work/whole" && "$dodona" run "${subjects[@]}" "${options[@]}" --time 10m --jobs 1 --format json >"$work/whole.json")
printf 'undivided: %.1f s\n' "$(echo "$(date +%s.%N) - $begun" | bc)"

submit() { # submit SHARDS : in this folder
    "$dodona" submit "${subjects[@]}" "${options[@]}" --time 10m --engine slurm --shards "$1" --shard-memory 1 --now
}
ended() { # waits until no job is left
    for _ in $(seq 1200); do
        [ -z "$(squeue --noheader)" ] && return
        sleep 0.5
    done
    echo "error: jobs do not end" >&2
    squeue >&2
    exit 1
}
exact() { # exact WORDS : the merged record is that of one run
    "$dodona" status --format json | cmp - "$work/whole.json" || { echo "error: $1: the record is another one" >&2; tail -n 20 dodona-jobs/*.log >&2; exit 1; }
    echo "$1: the record is that of one run"
}
tries() { # tries NUMBER : how often an index was run
    grep -c "ArrayTaskId=$1 " "$work/jobcomp.txt" || true
}

for shards in 1 2 4; do
    prepare "$work/$shards" && cd "$work/$shards"
    begun=$(date +%s.%N)
    submit $shards
    ended
    printf '%s shards: %.1f s with the queue\n' $shards "$(echo "$(date +%s.%N) - $begun" | bc)"
    exact "$shards shards"
    grep -h 'pieces of work' dodona-jobs/shard-*.log
    tail -n 1 dodona-jobs/merge.log
done

prepare "$work/killed in a 'folder'" && cd "$work/killed in a 'folder'"
: >"$work/jobcomp.txt"
submit 4
for _ in $(seq 400); do
    victim=$(pgrep -f -- "--shard 2/4" | head -n 1 || true)
    [ -n "$victim" ] && sleep 1.5 && kill -9 "$victim" 2>/dev/null && break
    sleep 0.1
done
ended
exact "a task that was killed"
"$dodona" submit --status
echo "runs of 1, 2, 3, 4: $(tries 1) $(tries 2) $(tries 3) $(tries 4)"
[ "$(tries 1) $(tries 2) $(tries 3) $(tries 4)" = "1 2 1 1" ] || { cat "$work/jobcomp.txt"; exit 1; }

: >"$work/jobcomp.txt"
rm shards/3-of-4.shard
"$dodona" submit --status || [ $? -eq 3 ]
submit 4
ended
exact "a file that was lost"
echo "runs of 1, 2, 3, 4: $(tries 1) $(tries 2) $(tries 3) $(tries 4)"
[ "$(tries 1) $(tries 2) $(tries 3) $(tries 4)" = "0 0 1 0" ] || { cat "$work/jobcomp.txt"; exit 1; }
