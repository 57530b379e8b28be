#!/bin/sh
# Runs `make demo` from a clone of the last commit in minimal Debian 12 roots, as on
# machines that hold none, or other ones, of the packages that twinset is built from.
#
#   tools/fresh.sh              # all roots
#   tools/fresh.sh bare gtest   # these
#
# Each root is made by mmdebstrap in a temporary folder, from the package sources of
# this machine (SOURCES=FILE for others), and removed at the end. Needs root. Prints
# "N passed, M failed"; a root's log stays in build/fresh/.
set -u
cd "$(dirname "$0")/.."

# packages ROOT: what the root holds besides git and make.
packages() {
  case "$1" in
    bare) ;;
    gtest) echo libgtest-dev ;;           # GoogleTest without the other test libraries
    clang) echo clang libsimdjson-dev ;;  # another compiler, and no g++
    *) echo "fresh.sh: unknown root '$1'; known: bare, gtest, clang" >&2; return 1 ;;
  esac
}

[ $# -gt 0 ] || set -- bare gtest clang
for root in "$@"; do packages "$root" >/dev/null || exit 2; done

sources=${SOURCES:-}
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  [ -n "$sources" ] || { [ -f "$file" ] && sources=$file; }
done
logs=build/fresh
rm -rf "$logs"
mkdir -p "$logs"
git clone --quiet --no-hardlinks . "$logs/twinset" || exit 1

passed=0 failed=0
for root in "$@"; do
  log=$logs/$root.log
  started=$(date +%s)
  include=git,make
  for package in $(packages "$root"); do include=$include,$package; done
  echo "=== $root: make demo in a root with $include (log: $log)"
  # The root is thrown away (/dev/null): what counts is whether the hook succeeds.
  if mmdebstrap --mode=root --variant=minbase --include="$include" --format=null \
      --customize-hook="cp -a '$logs/twinset' \"\$1/twinset\"" \
      --customize-hook='chroot "$1" make -C /twinset demo' \
      bookworm /dev/null "$sources" >"$log" 2>&1; then
    passed=$((passed + 1)) verdict=ok
    grep -E 'records read|kept|removed' "$log" | head -n 3
  else
    failed=$((failed + 1)) verdict=FAILED
    tail -n 20 "$log"
  fi
  printf '%-7s %-6s %4ds\n' "$verdict" "$root" "$(($(date +%s) - started))"
done
rm -rf "$logs/twinset"
echo "fresh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
