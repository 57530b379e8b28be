#!/bin/sh
# The main job on real input that every Debian machine has: the copyright files
# of its packages, hundreds of which are near-duplicates of one another.
set -eu
cd "$(dirname "$0")/.."
twinset=build/release/twinset
out=build/demo

# A finished run is not run again, and this one should show its work each time.
rm -rf "$out"
mkdir -p "$out"
echo
echo "\$ twinset dedup '/usr/share/doc/*/copyright' \\"
echo "    --containment 0.8 -o $out/out --report $out/report.html"
"$twinset" dedup '/usr/share/doc/*/copyright' --containment 0.8 -o "$out/out" \
  --report "$out/report.html"
# The copy that resembles its survivor least, as twinset explains it.
least=$(zstdcat "$out/out/removed.jsonl.zst" | grep '"kind": "near"' |
  sed -E 's/^\{"id": "([^"]*)".*"resemblance": ([0-9.]+).*/\2 \1/' | sort | head -n 1 |
  cut -d ' ' -f 2)
if [ -n "$least" ]; then
  echo
  echo "\$ twinset explain $out/out $least"
  "$twinset" explain "$out/out" "$least" | head -n 40
fi
echo
echo "The kept copyright files are in $out/out, the proof of each removal is in"
echo "$out/out/removed.jsonl.zst. Look at the report: file://$PWD/$out/report.html"
echo "All clusters, in a browser, until Ctrl-C:"
echo "\$ build/release/twinset serve $out/out"
