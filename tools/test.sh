#!/bin/sh
# Every test of twinset, in the order in which failures are cheapest to learn.
# Each step's own summary line is shown as it ends, and all of them once more at
# the end. A step that fails does not stop the others; the exit code is 1 then.
set -u
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
logs=build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
summary=$logs/summary
: >"$summary"
failed=0

# Debian calls the program that makes sanitizers' reports readable by its version.
symbolizer=$(command -v llvm-symbolizer || command -v llvm-symbolizer-14)
[ -z "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH="$symbolizer"
export UBSAN_OPTIONS=print_stacktrace=1

# step NAME PATTERN COMMAND...: runs it, shows what it prints, and keeps the last
# line of it that matches PATTERN for the summary.
step() {
  name=$1 pattern=$2
  shift 2
  printf '\n=== %s: %s\n' "$name" "$*"
  started=$(date +%s)
  log=$logs/$(echo "$name" | tr ' /' '__').log
  # A pipe to tee would lose the exit code; a file beside the log keeps it.
  { "$@" 2>&1; echo $? >"$log.code"; } | tee "$log"
  code=$(cat "$log.code")
  line=$(grep -E "$pattern" "$log" | tail -n 1)
  verdict=ok
  if [ "$code" -ne 0 ]; then
    verdict=FAILED
    failed=1
  fi
  printf '%-7s %-24s %4ds  %s\n' "$verdict" "$name" "$(($(date +%s) - started))" "$line" \
    >>"$summary"
  return "$code"
}

counted='passed, [0-9]+ failed'
build_preset() {
  cmake --preset "$1" && cmake --build --preset "$1" --parallel "$jobs"
}

step "layers" "$counted" python3 tests/layers_test.py
step "format" "$counted" python3 tests/format_test.py
step "headers" "$counted" python3 tests/headers/headers_test.py --compilers g++ clang++
if step "release build" '^$' build_preset release; then
  # Labels keep apart what is run below by itself, to show its own summary line.
  step "release tests" 'tests passed' \
    ctest --preset release --parallel "$jobs" --label-exclude direct
  step "end to end" "$counted" python3 tests/cli/run.py --binary build/release/twinset
  step "install" "$counted" python3 tests/install_test.py --build build/release
  step "papers" "$counted" python3 papers/run.py --fast --binary build/release/twinset
  for hardship in same_bytes bad_records memory faults kill; do
    step "$hardship" "$counted" python3 tests/cli/${hardship}_test.py --binary build/release/twinset
  done
fi
if step "sanitizer build" '^$' build_preset asan; then
  step "sanitizer tests" 'tests passed' \
    ctest --preset asan --parallel "$jobs" --label-exclude direct
  step "sanitizer end to end" "$counted" python3 tests/cli/run.py --binary build/asan/twinset
  step "fuzz" "$counted" fuzz/run.sh build/asan 5
fi

printf '\n=== summary\n'
cat "$summary"
exit "$failed"
