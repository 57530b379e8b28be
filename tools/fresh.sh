#!/bin/sh
# Runs `make demo` from a clone of the last commit in minimal Debian roots, as on machines
# that hold none, or other ones, of the packages that twinset is built from.
#
#   tools/fresh.sh                      # all roots
#   tools/fresh.sh bookworm trixie      # these
#   TESTS=1 tools/fresh.sh trixie       # `make test` after `make demo`
#
# Each root is made by mmdebstrap in a temporary folder and removed at the end. The packages
# come from where this machine gets its own, of the root's release of Debian; SOURCES=FILE names
# other sources. Needs root. Prints "fresh: N passed, M failed"; a root's log stays in build/fresh/.
set -u
cd "$(dirname "$0")/.."

# describe ROOT: the root's release of Debian, and what it holds besides git and make.
describe() {
  case "$1" in
    bookworm) echo bookworm ;;                                   # Debian 12
    trixie) echo trixie ;;                                       # Debian 13
    gtest) echo bookworm libgtest-dev ;;                         # without the other test libraries
    clang) echo bookworm clang libsimdjson-dev ;;                # another compiler, and no g++
    trixie-clang) echo trixie clang ;;
    parquet) echo bookworm ;;                                    # PARQUET=1, which needs Rust
    *) echo "fresh.sh: unknown root '$1'; known: bookworm, trixie, gtest, clang, trixie-clang, parquet" >&2
       return 1 ;;
  esac
}

[ $# -gt 0 ] || set -- bookworm trixie gtest clang trixie-clang parquet
for root in "$@"; do describe "$root" >/dev/null || exit 2; done
goals=demo
[ -z "${TESTS:-}" ] || goals="demo test"

sources=${SOURCES:-}
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  [ -n "$sources" ] || { [ -f "$file" ] && sources=$file; }
done
# Certificates that this machine trusts beside Debian's, as of a proxy that it downloads through.
trusted=/usr/local/share/ca-certificates
logs=build/fresh
rm -rf "$logs"
mkdir -p "$logs"
git clone --quiet --no-hardlinks . "$logs/twinset" || exit 1
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")

passed=0 failed=0
for root in "$@"; do
  log=$logs/$root.log
  started=$(date +%s)
  with=
  [ "$root" != parquet ] || with="PARQUET=1"
  set -- $(describe "$root")
  release=$1
  shift
  include=git,make
  for package in "$@"; do include=$include,$package; done
  echo "=== $root: make $goals $with in Debian $release with $include (log: $log)"
  # The name ends as the original does, by which apt knows the form of the file.
  if [ -n "${SOURCES:-}" ]; then
    of_release=$sources
  else
    of_release=$logs/$release-$(basename "$sources")
    sed "s/\b$here\b/$release/g" "$sources" >"$of_release"
  fi
  # The root is thrown away (/dev/null): what counts is whether the hook succeeds.
  if mmdebstrap --mode=root --variant=minbase --include="$include" --format=null \
      --customize-hook="cp -a '$logs/twinset' \"\$1/twinset\"" \
      --customize-hook="mkdir -p '$trusted' \"\$1$trusted\" && cp -r '$trusted/.' \"\$1$trusted/\"" \
      --customize-hook="chroot \"\$1\" make -C /twinset $goals $with" \
      "$release" /dev/null "$of_release" >"$log" 2>&1; then
    passed=$((passed + 1)) verdict=ok
    grep -E 'records read|kept|removed' "$log" | head -n 3
    grep -E '^[0-9]+ passed, ' "$log"
  else
    failed=$((failed + 1)) verdict=FAILED
    tail -n 20 "$log"
  fi
  printf '%-7s %-12s %4ds\n' "$verdict" "$root" "$(($(date +%s) - started))"
done
rm -rf "$logs/twinset"
echo "fresh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
