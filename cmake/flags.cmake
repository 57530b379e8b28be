# Warnings are on, and are errors for developers only; sanitizers by preset.
option(TWINSET_WERROR "Warnings are errors: for developers, whose compilers are known" OFF)
add_library(twinset_flags INTERFACE)
target_compile_options(twinset_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  -fno-strict-aliasing)
# Nobody who only builds the program is stopped by a newer compiler's warning.
if(TWINSET_WERROR)
  target_compile_options(twinset_flags INTERFACE -Werror)
endif()
# Sources that are compiled at once see each other's private names, which shadows nothing in a file.
target_compile_options(twinset_flags INTERFACE
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
# __int128 is what the 64x64->128 multiply is made of.
target_compile_options(twinset_flags INTERFACE -Wno-pedantic)
# No multiplication is fused with an addition: what is decided is the same on every CPU.
target_compile_options(twinset_flags INTERFACE -ffp-contract=off)
# g++ 12 sees overlaps in string operator+ that are not there (its bug 105651).
target_compile_options(twinset_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# A module of WebAssembly has no exceptions: what would throw stops it, and its door makes it anew.
if(TWINSET_WASM)
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(twinset_flags INTERFACE -msimd128 -fno-exceptions -fno-rtti -Wno-deprecated
    -Wno-shorten-64-to-32)  # Sizes have 32 bits there.
endif()
if(TWINSET_SANITIZE)
  target_compile_options(twinset_flags INTERFACE
    -fsanitize=${TWINSET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # A null pointer, or one to another object, stops the address sanitizer as well; without these checks of
  # each dereference a room compiles in three quarters of the time.
  if(TWINSET_SANITIZE MATCHES "address")
    target_compile_options(twinset_flags INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(twinset_flags INTERFACE -fsanitize=${TWINSET_SANITIZE})
  # Twenty large programs of tests and fuzz targets are linked, which lld does quickly.
  target_link_options(twinset_flags INTERFACE -fuse-ld=lld)
endif()
