# `make install` installs the program with its completions and manual page, the public
# shelf with one library to link, and the two files by which others find it:
#
#   find_package(twinset)  target_link_libraries(mine PRIVATE twinset::twinset)
#   c++ -std=c++20 mine.cc $(pkg-config --static --cflags --libs twinset)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET twinset_cli)
  install(TARGETS twinset_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # The program prints them from its own options, so they are of the version installed.
  set(texts ${PROJECT_BINARY_DIR}/installed_texts)
  install(CODE "
    foreach(text \"completion bash>twinset\" \"completion zsh>_twinset\"
                 \"completion fish>twinset.fish\" \"man>twinset.1\")
      string(REGEX MATCH \"^(.*)>(.*)$\" whole \"\${text}\")
      separate_arguments(words UNIX_COMMAND \"\${CMAKE_MATCH_1}\")
      file(MAKE_DIRECTORY \"${texts}\")
      execute_process(COMMAND \"$<TARGET_FILE:twinset_cli>\" \${words}
        OUTPUT_FILE \"${texts}/\${CMAKE_MATCH_2}\" RESULT_VARIABLE failed)
      if(failed)
        message(FATAL_ERROR \"twinset \${words} failed: \${failed}\")
      endif()
    endforeach()" COMPONENT program)
  install(FILES ${texts}/twinset DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${texts}/_twinset DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
  install(FILES ${texts}/twinset.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  install(FILES ${texts}/twinset.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()

# The rooms are built apart so that their layers hold; outside they are one library.
get_directory_property(twinset_rooms DIRECTORY ${PROJECT_SOURCE_DIR}/src DEFINITION twinset_rooms)
set(objects "")
foreach(room ${twinset_rooms})
  if(TARGET twinset_${room})
    list(APPEND objects $<TARGET_OBJECTS:twinset_${room}>)
  endif()
endforeach()
if(NOT objects)
  return()
endif()
add_library(twinset_archive STATIC EXCLUDE_FROM_ALL ${objects})
set_target_properties(twinset_archive PROPERTIES OUTPUT_NAME twinset LINKER_LANGUAGE CXX)

set(installed_requires "libzstd libxxhash libdeflate libisal libbrotlidec libhwy fmt")
set(library_folder ${CMAKE_INSTALL_LIBDIR})
set(installed_libraries "")
set(installed_archives "")
if(TWINSET_HAS_PUBLIC_SUFFIXES)
  string(APPEND installed_requires " libpsl")
endif()
set(pc_requires "${installed_requires}")
if(TWINSET_HAS_MAIL)
  string(APPEND installed_requires " gmime-3.0")
  # Not among those of the .pc file: with --static it would ask for all that GMime is made of.
  list(JOIN GMIME_LDFLAGS " " gmime_libraries)
  string(APPEND installed_libraries " ${gmime_libraries}")
endif()
if(TWINSET_HAS_PARQUET)
  add_dependencies(twinset_archive twinset_parquet_build)
  string(APPEND installed_libraries " -ltwinset_parquet -ldl -lm")
  set(installed_archives "\${PACKAGE_PREFIX_DIR}/${library_folder}/libtwinset_parquet.a;dl;m;")
  install(FILES ${twinset_parquet_archive} DESTINATION ${library_folder} COMPONENT library OPTIONAL)
endif()
# The .pc file finds its prefix from where it lies, so --prefix may differ later.
file(RELATIVE_PATH from_pc_to_prefix /p/${library_folder}/pkgconfig /p)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/twinset-config.cmake.in
  ${PROJECT_BINARY_DIR}/twinset-config.cmake INSTALL_DESTINATION ${library_folder}/cmake/twinset
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twinset-config-version.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/twinset.pc.in ${PROJECT_BINARY_DIR}/twinset.pc @ONLY)

install(FILES $<TARGET_FILE:twinset_archive> DESTINATION ${library_folder} COMPONENT library OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/twinset DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/twinset-config.cmake
  ${PROJECT_BINARY_DIR}/twinset-config-version.cmake
  DESTINATION ${library_folder}/cmake/twinset COMPONENT library)
install(FILES ${PROJECT_BINARY_DIR}/twinset.pc DESTINATION ${library_folder}/pkgconfig
  COMPONENT library)
