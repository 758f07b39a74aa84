#!/usr/bin/env bash
# The engine's kernels and their memory: reads and writes outside of their slices, and numbers that were never set.
# Usage: tools/memory_check.sh valgrind [TEST...]     on avx2 and plain: valgrind does not know AVX-512
#        tools/memory_check.sh sanitizer [TEST...]    on all paths of the processor, compiled with nightly Rust for it
#        tools/memory_check.sh miri [TEST...]         on all paths of x86-64, interpreted by nightly Rust: every rule of Rust, few cases
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${1:-valgrind}
shift || true
[ $# -gt 0 ] || set -- gemm:: dot:: simd:: table
case $tool in
  valgrind)
    tests=$(cargo test --package tilegrad --lib --no-run --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
    valgrind --quiet --error-exitcode=9 "$tests" --test-threads 1 "$@"
    ;;
  sanitizer)
    RUSTFLAGS=-Zsanitizer=address cargo +nightly test --package tilegrad --lib --target x86_64-unknown-linux-gnu \
      --target-dir target/sanitizer -- "$@"
    ;;
  miri)
    RUSTFLAGS='-C target-cpu=x86-64-v4' cargo +nightly miri test --package tilegrad --lib --target x86_64-unknown-linux-gnu \
      --target-dir target/miri -- "$@"
    ;;
  *) echo "there is no $tool; there are: valgrind, sanitizer, miri" >&2; exit 2 ;;
esac
