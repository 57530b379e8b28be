# Compiles through ccache where it is installed (-DTWINSET_CCACHE=OFF: never), so that a file
# that was compiled once, in whatever folder, is not compiled again.
option(TWINSET_CCACHE "Compile through ccache if it is installed" ON)
find_program(TWINSET_CCACHE_PROGRAM ccache)
if(TWINSET_CCACHE AND TWINSET_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the source folder are made relative, so that every checkout shares the cache.
  # A precompiled header is known by its contents, not by its time.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${TWINSET_CCACHE_PROGRAM})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
