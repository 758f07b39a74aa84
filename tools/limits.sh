#!/bin/sh
# Runs the commands on a system that refuses: little memory, a full or read-only disk, a folder in use; and watches what they do
# with a model file from a stranger. Linux; `strace`, and rights to mount, where they are there.
#
#     cargo build && tools/limits.sh [PROGRAM]
#
# Each line tells what was tried and how it ended; exit code 1 if something ended in another way than it should.

set -u
wug=$(realpath "${1:-target/debug/wug}")
place=$(mktemp -d)
trap 'umount "$place/disk" 2>/dev/null; rm -rf "$place"' EXIT
cd "$place" || exit 1
for name in ada alan barbara edsger grace john kurt noam ann bo cy dee; do printf '%s\t20\n' $name; done > names.txt
small="--set state=3 --set generative.hidden=[4] --set inference.hidden=[4] --set flow_hidden=[4] --set batch=16"
failed=0

# check NAME CODES TEXT COMMAND: the exit code is one of CODES, and standard error has TEXT and no panic.
check() {
    name=$1 codes=$2 text=$3
    shift 3
    timeout 60 sh -c "$*" > out 2> err
    code=$?
    verdict=ok
    case " $codes " in *" $code "*) ;; *) verdict=WRONG ;; esac
    if [ "$code" != 0 ] && ! grep -q "$text" err; then verdict=WRONG; fi
    if grep -q panicked err; then verdict=WRONG; fi
    if [ $verdict = WRONG ]; then failed=1; fi
    printf '%-5s %-46s exit %-3s %s\n' "$verdict" "$name" "$code" "$(grep -a . err | tail -n 1 | cut -c 1-110)"
}

# whole FOLDER: all files of a run can be read, and the run can be resumed.
whole() { check "the run in $1 is whole" 0 . "'$wug' sample -m $1 -n 2 && '$wug' train --resume -o $1"; }

check "a run to begin with" 0 . "'$wug' train names.txt -o run --words 1600 $small"
cp -r run before

echo "-- memory"
for memory in 8000 12000 16000 24000 32000 48000 64000 96000 128000 256000 512000; do
    told="memory\|no thread could be started\|shared libraries"
    check "train, $memory KiB" "0 1 127" "$told" "ulimit -v $memory; exec '$wug' train --resume -o run --threads 4"
    check "sample, $memory KiB" "0 1 127" "$told" "ulimit -v $memory; exec '$wug' sample --threads 4"
    check "score, $memory KiB" "0 1 127" "$told" "ulimit -v $memory; exec '$wug' score --threads 4 wug"
    check "eval, $memory KiB" "0 1 127" "$told" \
        "ulimit -v $memory; exec '$wug' eval -m run --threads 4 --trajectories 1000 --draws 100"
done
whole run

echo "-- a full disk"
check "sample" 1 "No space left" "'$wug' sample > /dev/full"
check "score" 1 "No space left" "'$wug' score --particles 8 wug > /dev/full"
check "eval" 1 "No space left" "'$wug' eval -m run --trajectories 100 --draws 10 > /dev/full"
check "train, files of at most 2 KiB" 1 "File too large" "trap '' XFSZ; ulimit -f 4; '$wug' train --resume -o run"
whole run
mkdir disk
if mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null; then
    cp -r before disk/run
    check "train, with room" 0 . "'$wug' train --resume -o disk/run"
    head -c 1m /dev/zero > disk/fill 2>/dev/null
    check "train, without room" 1 "No space left" "'$wug' train --resume -o disk/run"
    check "a new run, without room" 1 "No space left" "'$wug' train names.txt -o disk/new --words 1600 $small"
    check "count, without room" 1 "No space left" "'$wug' count names.txt -o disk/counts.tsv"
    rm disk/fill
    whole disk/run
    mount -o remount,ro disk
    check "train, read-only" 1 "Read-only" "'$wug' train --resume -o disk/run"
    check "a new run, read-only" 1 "Read-only" "'$wug' train names.txt -o disk/new --words 1600 $small"
    check "sample, read-only" 0 . "'$wug' sample -m disk/run -n 2"
    check "score, read-only" "0 3" . "'$wug' score -m disk/run --particles 8 ada"
    umount disk
else
    echo "skipped: a disk of 256 KiB, full and read-only (no right to mount)"
fi

echo "-- two in one folder"
"$wug" train names.txt -o long --words 1G $small 2>/dev/null >/dev/null &
other=$!
while [ ! -e long/checkpoint.safetensors ]; do sleep 0.05; done
check "train, where another trains" 1 "is in use" "'$wug' train --resume -o long"
check "a new run, where another trains" 1 "already\|is in use" "'$wug' train names.txt -o long --words 160 $small"
kill -KILL $other
wait $other 2>/dev/null
check "train, where another was killed" "1 124" "stopped" "timeout -s INT 2 '$wug' train --resume -o long"

echo "-- a model file from a stranger"
if command -v strace >/dev/null; then
    for command in "sample -m run -n 3" "score -m run --particles 8 ada" "eval -m run --trajectories 100 --draws 10" \
        "between -m run ada bo"; do
        strace -f -o trace -e trace=openat,open,creat,execve,socket,connect,unlink,rename,mkdir,truncate,link,symlink \
            "$wug" $command > out 2> err
        # All but the start of the program itself, and files that are opened to be read.
        odd=$(grep -v 'O_RDONLY\|exited with\|+++\|---\|resumed' trace | grep -vc "execve(\"$wug\"")
        if [ "$odd" = 0 ]; then verdict=ok; else verdict=WRONG failed=1; fi
        printf '%-5s %-46s %s\n' "$verdict" "$command" \
            "$(grep -c 'O_RDONLY' trace) files read; $odd written, started or connected to"
    done
else
    echo "skipped: there is no strace"
fi
exit $failed
