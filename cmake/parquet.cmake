# Parquet is read by a library in Rust (parquet/), with a C interface of a few calls. AUTO: where a cargo that is
# new enough is found, and its crates are at hand or can be had. Debian 12 calls that cargo-web.
set(TWINSET_PARQUET AUTO CACHE STRING "Read Parquet: AUTO, ON or OFF; needs cargo 1.88")
set_property(CACHE TWINSET_PARQUET PROPERTY STRINGS AUTO ON OFF)
set(twinset_oldest_cargo 1.88)

# Sets `why` if no Parquet can be built, else twinset_cargo and twinset_rustc.
function(twinset_find_cargo why)
  set(${why} "" PARENT_SCOPE)
  find_program(TWINSET_CARGO NAMES cargo HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin)
  if(NOT TWINSET_CARGO)
    set(${why} "there is no cargo" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${TWINSET_CARGO} --version OUTPUT_VARIABLE said ERROR_QUIET)
  string(REGEX MATCH "[0-9]+[.][0-9]+" version "${said}")
  if(NOT version OR version VERSION_LESS twinset_oldest_cargo)
    set(${why} "${TWINSET_CARGO} is older than ${twinset_oldest_cargo}" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${TWINSET_CARGO} fetch --quiet --locked
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/parquet RESULT_VARIABLE failed ERROR_VARIABLE said TIMEOUT 120)
  if(failed)
    set(${why} "cargo cannot fetch its crates: ${said}" PARENT_SCOPE)
  endif()
endfunction()

set(TWINSET_HAS_PARQUET OFF)
if(NOT TWINSET_PARQUET STREQUAL "OFF")
  twinset_find_cargo(twinset_no_parquet)
  if(twinset_no_parquet STREQUAL "")
    set(TWINSET_HAS_PARQUET ON)
  elseif(TWINSET_PARQUET STREQUAL "ON")
    message(FATAL_ERROR "Parquet cannot be built: ${twinset_no_parquet}\n"
      "On Debian 12 install cargo-web and rustc-web, or build without it: -DTWINSET_PARQUET=OFF")
  else()
    message(STATUS "Without Parquet: ${twinset_no_parquet}")
  endif()
endif()

if(TWINSET_HAS_PARQUET)
  set(TWINSET_PARQUET_FOLDER ${PROJECT_BINARY_DIR}/parquet CACHE PATH "Where cargo builds; presets may share it")
  set(twinset_parquet_folder ${TWINSET_PARQUET_FOLDER})
  set(twinset_parquet_archive ${twinset_parquet_folder}/release/libtwinset_parquet.a)
  file(GLOB twinset_parquet_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/parquet/src/*.rs)
  add_custom_command(OUTPUT ${twinset_parquet_archive}
    COMMAND ${CMAKE_COMMAND} -DCARGO=${TWINSET_CARGO} -DTARGET_FOLDER=${twinset_parquet_folder}
      -P ${PROJECT_SOURCE_DIR}/cmake/run_cargo.cmake
    DEPENDS ${twinset_parquet_sources} ${PROJECT_SOURCE_DIR}/parquet/Cargo.toml ${PROJECT_SOURCE_DIR}/parquet/Cargo.lock
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/parquet COMMENT "Building libtwinset_parquet.a with cargo" USES_TERMINAL VERBATIM)
  add_custom_target(twinset_parquet_build DEPENDS ${twinset_parquet_archive})
  add_library(twinset_parquet STATIC IMPORTED GLOBAL)
  set_target_properties(twinset_parquet PROPERTIES IMPORTED_LOCATION ${twinset_parquet_archive})
  target_link_libraries(twinset_parquet INTERFACE PkgConfig::ZSTD Threads::Threads ${CMAKE_DL_LIBS} m)
  add_dependencies(twinset_parquet twinset_parquet_build)
endif()
