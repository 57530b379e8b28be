# Builds the library of parquet/ in TARGET_FOLDER: cmake -DCARGO=... -DTARGET_FOLDER=... -P run_cargo.cmake
# with the rustc beside that cargo, and with the system's zstd, which twinset links, too.
get_filename_component(folder ${CARGO} DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")
set(ENV{ZSTD_SYS_USE_PKG_CONFIG} 1)
set(ENV{CARGO_TARGET_DIR} ${TARGET_FOLDER})
execute_process(COMMAND ${CARGO} build --quiet --release --locked RESULT_VARIABLE failed
  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../parquet)
if(failed)
  message(FATAL_ERROR "cargo failed; to build without Parquet, configure with -DTWINSET_PARQUET=OFF")
endif()
