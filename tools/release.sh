#!/usr/bin/env bash
# Builds a release archive for one target: the program, completions, manual pages, licences, and a checksum beside it.
# Usage: tools/release.sh TARGET [FOLDER]      e.g. tools/release.sh x86_64-unknown-linux-musl
# The program of TARGET must be able to run here: it writes its own completions and manual pages.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1
out=${2:-target/release-archives}
rustup target add "$target"
cargo build --release --locked --package wug-cli --target "$target"

version=$(cargo metadata --no-deps --format-version 1 --locked | sed -E 's/.*"name":"wug-cli","version":"([^"]+)".*/\1/')
name=wug-$version-$target
program=wug
case $target in *windows*) program=wug.exe ;; esac
stage=$out/$name
rm -rf "$stage"
mkdir -p "$stage/completions" "$stage/man"
cp "target/$target/release/$program" "$stage/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$stage/"
for shell in bash elvish fish powershell zsh; do
  "$stage/$program" completions "$shell" > "$stage/completions/wug.$shell"
done
"$stage/$program" man "$stage/man"
"$stage/$program" sample -n 3 --seed 1 > /dev/null

cd "$out"
case $target in
  *windows*) archive=$name.zip; 7z a -bd "$archive" "$name" > /dev/null ;;
  *) archive=$name.tar.gz; tar -czf "$archive" "$name" ;;
esac
if command -v sha256sum > /dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi > "$archive.sha256"
cat "$archive.sha256"
