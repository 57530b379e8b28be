#!/bin/sh
# Installs the Debian packages that a goal needs and that are missing.
#
#   tools/install_dependencies.sh build          # what the command line is built from
#   tools/install_dependencies.sh build test     # ... and what its tests need
#   tools/install_dependencies.sh build python   # ... and what `pip install .` needs
#   tools/install_dependencies.sh spark          # the Java that the tests of twinset.spark need
#   tools/install_dependencies.sh build wasm     # ... and what the package for JavaScript needs
#   tools/install_dependencies.sh build extension  # ... and the browser in which the extension is tested
#   tools/install_dependencies.sh page     # what the page is built from, and the browser in which it is tested
#   tools/install_dependencies.sh --list test    # only names the packages of a goal
#
# With nothing missing it says nothing and touches nothing: no network, no root.
# Otherwise it runs apt-get, never asking, as root or through sudo.
set -eu

build="g++ cmake ninja-build pkg-config
  libzstd-dev libdeflate-dev libisal-dev libbrotli-dev libxxhash-dev libhwy-dev libcli11-dev libfmt-dev
  libtomlplusplus-dev libgmime-3.0-dev libpsl-dev"
# Boost.JSON came with 1.75, and Debian 12's own version is 1.74, beside which it has 1.81. Its headers
# are enough.
case "$(. /etc/os-release 2>/dev/null && echo "${ID:-}${VERSION_ID:-}")" in
  debian12) build="$build libboost1.81-dev" ;;
  *) build="$build libboost-dev" ;;
esac
# clang's sanitizer and fuzzer runtimes are a package of their own, and so is the
# symbolizer that turns their reports into file names and lines.
test="clang clang-format libclang-rt-dev lld llvm libgtest-dev libgmock-dev
  librapidcheck-dev libsimdjson-dev libutf8proc-dev unicode-data python3 python3-dev python3-venv python3-milter miltertest curl gzip zstd"
python="python3 python3-dev python3-venv python3-pip"
demo="zstd"
# Java 17 on Debian 12; Spark itself comes from PyPI (tests/spark/requirements.txt).
spark="default-jre-headless python3 python3-venv zstd"
# A newer Rust than Debian 12's own, and the certificates by which it knows where it downloads from; any cargo of 1.88
# or newer on the path serves as well.
parquet="cargo-web rustc-web ca-certificates"
case "$(cargo --version 2>/dev/null | cut -d" " -f2)" in
  1.8[89].* | 1.9?.* | 1.[1-9]??.* | [2-9].*) parquet="" ;;
esac
# The toolchain of WebAssembly, from Debian 12's archive of security updates, and Node with its packages.
wasm="clang-22 lld-22 libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc zstd"
# Any Node of 18 or newer on the path serves as well; those of other archives bring npm along.
node=""
case "$(command -v npm >/dev/null && node --version 2>/dev/null)" in
  v1[89].* | v[2-9][0-9].*) ;;
  *) node="nodejs npm" ;;
esac
wasm="$wasm $node"
# What the extension is tested in.
extension="chromium"
page="$node chromium"
bench="libbenchmark-dev python3 python3-venv zstd"
fresh="git mmdebstrap"

list_only=no
wanted=""
for goal in "$@"; do
  case "$goal" in
    --list) list_only=yes ;;
    build) wanted="$wanted $build" ;;
    python) wanted="$wanted $python" ;;
    demo) wanted="$wanted $demo" ;;
    parquet) wanted="$wanted $parquet" ;;
    spark) wanted="$wanted $spark" ;;
    wasm) wanted="$wanted $wasm" ;;
    extension) wanted="$wanted $wasm $extension" ;;
    page) wanted="$wanted $page" ;;
    test) wanted="$wanted $test" ;;
    bench) wanted="$wanted $bench" ;;
    fresh) wanted="$wanted $fresh" ;;
    *) echo "install_dependencies.sh: unknown goal '$goal'; known: build, python, demo, parquet, spark, wasm, extension, page, test, bench, fresh" >&2
       exit 2 ;;
  esac
done
if [ "$list_only" = yes ]; then
  echo $wanted
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system, so nothing was installed. twinset is built from what" >&2
  echo "Debian calls:" $wanted >&2
  echo "If these are there under other names, go on with: cmake --preset release" >&2
  exit 1
fi

missing=""
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  echo "Packages are missing, and this is neither root nor is sudo installed. As root, run:" >&2
  echo "  apt-get update && apt-get install --yes --no-install-recommends$missing" >&2
  exit 1
fi

echo "Installing:$missing"
# env, not an exported variable: sudo drops those.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq --yes --no-install-recommends $missing
