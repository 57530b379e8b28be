# twinset_generated_list(<out.cc> <header> <declaration> <files...>)
# writes the list of schemes, analyzers or formats from the files of a folder:
# a file x.cc there defines `extern const <Type> x_<suffix>`. A new one is a new
# file; this list is why nothing else is edited.
function(twinset_generated_list out header type suffix accessor)
  set(externs "")
  set(entries "")
  foreach(file ${ARGN})
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND externs "extern const ${type} ${stem}_${suffix};\n")
    list(APPEND entries "${stem}_${suffix}")
  endforeach()
  list(SORT entries)
  string(REPLACE ";" ", &" pointers "${entries}")
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Generated from the folder by CMake; see cmake/lists.cmake.
#include <array>
#include \"${header}\"
namespace twinset {
@externs@
namespace {
const auto& list() {
  static const std::array entries{&@pointers@};
  return entries;
}
}  // namespace
std::span<const ${type}* const> ${accessor}() { return list(); }
}  // namespace twinset
")
endfunction()
