#!/usr/bin/env bash
# Runs what was compiled for other machines, and compares it with this one's: NEON under qemu, WebAssembly under Node.
# Usage: tools/other_machines.sh [aarch64] [wasm]        both if none is named
# Debian: apt-get install qemu-user gcc-aarch64-linux-gnu nodejs, rustup target add aarch64-unknown-linux-gnu wasm32-unknown-unknown
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- aarch64 wasm
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cargo build --release --locked --package wug-cli
own=$PWD/target/release/wug
"$own" sample -n 300 --unique --seed 1 > "$place/list.txt"
settings=(state=8 'generative.hidden=[16]' 'choice_hidden=[16]' batch=32 words=1280 patience=0)
sets=()
for setting in "${settings[@]}"; do sets+=(--set "$setting"); done

# A model, words and scores of one program: work PROGRAM... FOLDER
work() {
  local folder=${*: -1}
  local program=("${@:1:$#-1}")
  (
    cd "$place"
    "${program[@]}" train list.txt -q --seed 3 "${sets[@]}" -o "$folder" > "$folder.words"
    "${program[@]}" sample -m own/model.safetensors -n 1000 --seed 5 > "$folder.sample"
    "${program[@]}" score -m own/model.safetensors -i list.txt --format tsv > "$folder.scores"
  )
}
# compare WHAT FILE FILE
compare() { cmp "$2" "$3" && echo "$1: the same"; }

work "$own" own
for machine in "$@"; do
  case $machine in
    aarch64)
      target=aarch64-unknown-linux-gnu
      emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
      export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
      export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=${emulator[*]}
      cargo test --locked --package tilegrad --lib --target $target -- simd:: gemm:: dot:: math:: noise:: affine
      cargo build --locked --package wug-cli --target $target
      work "${emulator[@]}" "$PWD/target/$target/debug/wug" arm
      compare "aarch64, model" "$place/own/model.safetensors" "$place/arm/model.safetensors"
      compare "aarch64, words" "$place/own.sample" "$place/arm.sample"
      compare "aarch64, scores" "$place/own.scores" "$place/arm.scores"
      ;;
    wasm)
      # As `cargo xtask page` builds it.
      RUSTFLAGS='-C target-feature=+simd128 -C strip=symbols' \
        cargo build --release --locked --package wug-web --target wasm32-unknown-unknown --target-dir target/page/wasm
      node=(node tools/wasm_words.mjs target/page/wasm/wasm32-unknown-unknown/release/wug_web.wasm)
      "${node[@]}" sample "$place/own/model.safetensors" 1000 5 > "$place/wasm.sample"
      compare "WebAssembly, words" "$place/own.sample" "$place/wasm.sample"
      # Without fused multiply-add, as on the plain path.
      export WUG_SIMD=plain
      work "$own" plain
      "${node[@]}" train "$place/list.txt" 40 3 "$place/wasm.safetensors" "${settings[@]}"
      compare "WebAssembly, model against the plain path's" "$place/plain/model.safetensors" "$place/wasm.safetensors"
      unset WUG_SIMD
      ;;
    *) echo "there is no machine $machine; there are: aarch64, wasm" >&2; exit 2 ;;
  esac
done
