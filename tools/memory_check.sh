#!/usr/bin/env bash
# The engine's kernels under valgrind: reads and writes outside of their slices, and numbers that were never set.
# Valgrind knows AVX2 but not AVX-512, so that path is not among those tested. Usage: tools/memory_check.sh [TEST...]
set -euo pipefail
cd "$(dirname "$0")/.."
tests=$(cargo test --package tilegrad --lib --no-run --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
[ $# -gt 0 ] || set -- gemm:: dot:: simd::
valgrind --quiet --error-exitcode=9 "$tests" --test-threads 1 "$@"
