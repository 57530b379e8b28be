# Every library twinset stands on, found once. Each is wrapped in one file of
# src/ (see ARCHITECTURE.md); nothing is vendored.
if(TWINSET_WASM)
  # For browsers there are only those that are headers, or can be.
  add_library(PkgConfig::XXHASH INTERFACE IMPORTED)
  target_compile_definitions(PkgConfig::XXHASH INTERFACE XXH_INLINE_ALL)
  add_library(PkgConfig::HIGHWAY INTERFACE IMPORTED)
  return()
endif()
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(BROTLI REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(TOML REQUIRED tomlplusplus) # its headers alone
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)

# xxHash may have been built with its kernels for newer x86 CPUs, as Debian's is;
# the values are the same, three times as fast.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::XXHASH)
check_cxx_source_compiles("#include <xxhash.h>
#include <xxh_x86dispatch.h>
int main() { return static_cast<int>(XXH3_64bits_withSeed_dispatch(\"\", 0, 0)); }"
  TWINSET_XXHASH_DISPATCH)
unset(CMAKE_REQUIRED_LIBRARIES)
