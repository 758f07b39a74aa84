#!/usr/bin/env bash
# Runs the recipes of docs/reproduce.md for many cores on a Slurm of one node, in a folder of its own and on 127.0.0.1 alone: the job array, of
# which one task is killed in the middle and put back into the queue, and GNU parallel. Both have to end with the report of a run without
# them, to the byte.
# Usage: tools/slurm.sh [PROGRAM]      as root; target/release/wug by default
# Debian: apt-get install slurm-wlm munge parallel
set -euo pipefail
program=$(realpath "${1:-target/release/wug}")
place=$(mktemp -d)
chmod 755 "$place"
mkdir "$place"/{bin,munge,state,spool,work}
ln -s "$program" "$place/bin/wug"
export PATH=$place/bin:$PATH SLURM_CONF=$place/slurm.conf
started=()
finish() {
    if [ -n "${job:-}" ] && scancel "$job" 2>/dev/null; then sleep 3; fi
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    wait
    rm -rf "$place"
}
trap finish EXIT

# A key, a controller and a node.
head -c 1024 /dev/urandom > "$place/munge/key"
chmod 400 "$place/munge/key"
munged --foreground --force --num-threads=1 --key-file="$place/munge/key" --socket="$place/munge/socket" \
    --pid-file="$place/munge/pid" --seed-file="$place/munge/seed" --log-file="$place/munge/log" 2> "$place/munged.err" &
started+=($!)
node=$(hostname -s)
cat > "$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
CryptoType=crypto/munge
SlurmctldPort=36817
SlurmdPort=36818
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=5
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
sleep 2
slurmctld -D -c > "$place/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -N "$node" > "$place/slurmd.log" 2>&1 &
started+=($!)
for _ in $(seq 60); do
    if sinfo -h -o %T 2>/dev/null | grep -q idle; then break; fi
    sleep 1
done
sinfo -h -o %T | grep -q idle || { cat "$place"/*.log "$place"/*.err; echo "Slurm does not start" >&2; exit 1; }
echo "Slurm $(sinfo --version | cut -d' ' -f2) runs on $node"

# A few rows, long enough to be killed in the middle.
cd "$place/work"
cat > tiny.toml <<'PROFILE'
seeds = 2
words = 3_000_000
[evaluation]
trajectories = 200
particles = 8
draws = 20
PROFILE
rows=(tril gru-8d)
options=(--set 'generative.hidden=[8]' --set 'inference.hidden=[8]' --set checkpoint_seconds=1)
wug reproduce "${rows[@]}" --profile tiny.toml "${options[@]}" -o alone --threads 2

cat > reproduce.sh <<JOB
#!/bin/bash
#SBATCH --array=1-2
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
parts=2
wug reproduce ${rows[*]} --profile tiny.toml $(printf '%q ' "${options[@]}") -o array \
    --threads "\$SLURM_CPUS_PER_TASK" --shard "\$SLURM_ARRAY_TASK_ID/\$parts"
JOB
job=$(sbatch --parsable reproduce.sh)
state() { squeue -h -r -j "${job}_1" -o %T 2>/dev/null || true; }
# The first task has begun to train: it is killed as by a system without memory, and put back.
waited=0
until compgen -G 'array/runs/*/checkpoint.safetensors' > /dev/null && [ "$(state)" = RUNNING ]; do
    sleep 0.2
    waited=$((waited + 1))
    if [ "$waited" -gt 300 ]; then
        cat slurm-*.out
        echo "task 1 was not seen at work within a minute" >&2
        exit 1
    fi
done
scancel --signal=KILL --full "${job}_1"
while [ "$(state)" = RUNNING ] || [ "$(state)" = COMPLETING ]; do sleep 0.2; done
before=$(find array/runs -name '*.json' | wc -l)
[ "$before" -lt 4 ] || { echo "all results were there before the task was killed: train on more words" >&2; exit 1; }
scontrol requeue "${job}_1"
echo "task 1 was killed when $before of 4 results were there, and is in the queue again"
sbatch --wait --parsable --dependency="afterany:$job" --output=merge.out \
    --wrap "wug reproduce ${rows[*]} --profile tiny.toml $(printf '%q ' "${options[@]}") -o array --merge array" > /dev/null

wug reproduce "${rows[@]}" --profile tiny.toml "${options[@]}" -o parallel --list | parallel --will-cite -j 2 > /dev/null
wug reproduce "${rows[@]}" --profile tiny.toml "${options[@]}" -o parallel > /dev/null

for way in array parallel; do
    for file in report.html report.md report.json; do
        cmp "alone/$file" "$way/$file" || { cat slurm-*.out merge.out; exit 1; }
    done
    echo "$way: the report is that of a run without it, to the byte"
done
