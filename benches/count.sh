#!/usr/bin/env bash
# wug count beside a dozen lines of Python and beside tr | sort | uniq -c, on text made from the bundled list.
# Usage: benches/count.sh [MEGABYTES]    (needs cargo, python3, zstd, coreutils)
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes=${1:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --release --quiet
wug=target/release/wug
zstd -dcq crates/wug-data/lists/en.tsv.zst > "$work/list.tsv"
python3 benches/text.py "$work/list.tsv" "$megabytes" > "$work/text.txt"
python3 benches/text.py "$work/list.tsv" "$megabytes" cyrillic > "$work/cyrillic.txt"

# seconds NAME COMMAND...: the best of three runs; the output goes to $work/NAME.
seconds() {
    local name=$1 best="" took start
    shift
    for _ in 1 2 3; do
        start=$(date +%s.%N)
        "$@" > "$work/$name" 2> /dev/null
        took=$(echo "$(date +%s.%N) - $start" | bc)
        if [ -z "$best" ] || [ "$(echo "$took < $best" | bc)" = 1 ]; then best=$took; fi
    done
    echo "$best"
}
unix_pipeline() { tr -cs 'A-Za-z' '\n' < "$1" | tr 'A-Z' 'a-z' | LC_ALL=C sort --parallel="$(nproc)" | uniq -c; }
peak() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }

printf '%-34s %10s %12s\n' "text of $megabytes MB, $(nproc) cores" seconds "× wug count"
row() { printf '%-34s %10.2f %12.1f\n' "$1" "$2" "$(echo "$2 / $3" | bc -l)"; }
for text in text cyrillic; do
    fast=$(seconds "$text.wug" "$wug" count "$work/$text.txt")
    row "$text: wug count" "$fast" "$fast"
    row "$text: wug count --threads 1" "$(seconds "$text.one" "$wug" count --threads 1 "$work/$text.txt")" "$fast"
    row "$text: count.py" "$(seconds "$text.py" python3 crates/wug-cli/tests/fixtures/count.py "$work/$text.txt")" "$fast"
    cmp "$work/$text.wug" "$work/$text.py" && cmp "$work/$text.wug" "$work/$text.one"
done
row "text: tr | sort | uniq -c" "$(seconds text.unix unix_pipeline "$work/text.txt")" \
    "$(seconds text.wug "$wug" count "$work/text.txt")"

echo "peak memory as the text grows (KB):"
for copies in 1 2 4; do
    for _ in $(seq $copies); do cat "$work/text.txt"; done > "$work/more.txt"
    printf '%6d MB %10d\n' $((copies * megabytes)) "$(peak "$wug" count "$work/more.txt")"
done
