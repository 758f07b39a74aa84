#!/usr/bin/env bash
# Packages every crate that is published, builds the packages away from this repository with an empty cargo home, and
# installs the command from its package. Usage: tools/packages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
crates=(tilegrad wug-data wug wug-reproduce wug-cli)
selection=()
for crate in "${crates[@]}"; do selection+=(--package "$crate"); done
# Verified below, by building them elsewhere.
rm -f target/package/*.crate
cargo package --locked --allow-dirty --no-verify "${selection[@]}"

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for archive in target/package/*.crate; do
  size=$(wc -c < "$archive")
  echo "$(basename "$archive"): $size bytes"
  [ "$size" -lt 10000000 ] || { echo "larger than the registry takes"; exit 1; }
  tar -xzf "$archive" -C "$place"
done
version=$(basename target/package/wug-cli-*.crate .crate)
version=${version#wug-cli-}
# What the registry would give.
mkdir "$place/.cargo"
{
  echo '[patch.crates-io]'
  for crate in tilegrad wug-data wug wug-reproduce; do echo "$crate = { path = '$place/$crate-$version' }"; done
} > "$place/.cargo/config.toml"
export CARGO_HOME=$place/home
(cd "$place" && cargo install --path "$place/wug-cli-$version" --root "$place/installed" --target-dir "$place/target")
"$place/installed/bin/wug" sample -n 3 --seed 1
