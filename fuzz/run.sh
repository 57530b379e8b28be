#!/bin/sh
# Runs every fuzz target that was built, each for some seconds, two at a time.
#
#   fuzz/run.sh build/asan 60
#
# Prints a line for each target and then "N passed, M failed". The inputs that a target finds are
# kept in build/asan/corpus for its next run, and inputs that break it in build/asan/crashes. JOBS
# sets how many targets run at once.
set -u
build=${1:?usage: fuzz/run.sh BUILD_FOLDER SECONDS}
seconds=${2:?usage: fuzz/run.sh BUILD_FOLDER SECONDS}
here=$(cd "$(dirname "$0")" && pwd)
results=$build/fuzz-results
rm -rf "$results"
mkdir -p "$results"

# one TARGET: runs it and writes its log and its line.
one() {
  name=$(basename "$1")
  corpus=$build/corpus/$name
  log=$results/$name.log
  mkdir -p "$corpus" "$build/crashes"
  seeds=
  for folder in "$here/seeds/$name" "$here/../tests/data/${name#fuzz_}"; do
    [ -d "$folder" ] && seeds="$seeds $folder"
  done
  # A zstd frame may ask for a window of 2 GiB and some, which takes memory only where it is filled.
  # shellcheck disable=SC2086
  if "$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=2100 \
      -max_len=4096 \
      -print_final_stats=1 -artifact_prefix="$build/crashes/$name-" "$corpus" $seeds >"$log" 2>&1
  then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf 'ok      %-24s %s runs\n' "$name" "$runs" >"$results/$name.line"
  else
    found=$(sed -n 's/^.*Test unit written to *//p' "$log" | tail -n 1)
    printf 'FAILED  %-24s %s; see %s\n' "$name" "${found:-no input kept}" "$log" \
      >"$results/$name.line"
  fi
  cat "$results/$name.line"
}

jobs=${JOBS:-2}
running=0
found=0
for target in "$build"/fuzz/fuzz_*; do
  [ -f "$target" ] && [ -x "$target" ] || continue
  found=$((found + 1))
  one "$target" &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then
    wait
    running=0
  fi
done
wait
if [ "$found" -eq 0 ]; then
  echo "no fuzz target under $build/fuzz; build with: make fuzz"
  exit 1
fi
failed=$(cat "$results"/*.line | grep -c '^FAILED')
echo "$((found - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
