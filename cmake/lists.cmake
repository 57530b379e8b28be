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

# Lets a source hold the bytes of files. The assembler reads them, so that they cost a compiler nothing.
set(twinset_embed
"#ifdef __APPLE__
#define TWINSET_EMBED_SECTION \".section __TEXT,__const\"
#define TWINSET_EMBED_NAME \"_twinset_embedded_\"
#define TWINSET_EMBED_END \".text\"
#else
#define TWINSET_EMBED_SECTION \".pushsection .rodata\"
#define TWINSET_EMBED_NAME \"twinset_embedded_\"
#define TWINSET_EMBED_END \".popsection\"
#endif
#define TWINSET_EMBED(name, file)                                                   \\
  asm(TWINSET_EMBED_SECTION \"\\n.globl \" TWINSET_EMBED_NAME #name \"\\n.globl \" TWINSET_EMBED_NAME #name \"_end\\n\" \\
      TWINSET_EMBED_NAME #name \":\\n.incbin \\\"\" file \"\\\"\\n\" TWINSET_EMBED_NAME #name \"_end:\\n\" \\
      TWINSET_EMBED_END);                                                           \\
  extern \"C\" const char twinset_embedded_##name[];                                  \\
  extern \"C\" const char twinset_embedded_##name##_end[];                            \\
  [[maybe_unused]] static std::size_t name##_bytes() {                              \\
    return static_cast<std::size_t>(twinset_embedded_##name##_end - twinset_embedded_##name); \\
  }
")

# twinset_embedded_tables(out FILE...): writes a source that holds the bytes of each df file.
function(twinset_embedded_tables out)
  set(pieces "")
  set(entries "")
  list(LENGTH ARGN count)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    string(APPEND pieces "TWINSET_EMBED(${name}, \"${file}\")\n")
    string(APPEND entries "    BuiltInTable{\"${name}\", {twinset_embedded_${name}, ${name}_bytes()}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Generated from the folder by CMake; see cmake/lists.cmake.
#include <array>
#include <cstddef>
#include \"stats/table_list.h\"
@twinset_embed@
@pieces@
namespace twinset {
std::span<const BuiltInTable> listed_tables() {
  static const std::array<BuiltInTable, @count@> tables{{
@entries@  }};
  return tables;
}
}  // namespace twinset
")
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${ARGN}")
endfunction()

# twinset_embedded_page(out script style): writes a source that holds the built front end.
function(twinset_embedded_page out script style)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Generated from page/built by CMake; see cmake/lists.cmake.
#include <cstddef>
#include \"faces/page_assets.h\"
@twinset_embed@
TWINSET_EMBED(page_script, \"@script@\")
TWINSET_EMBED(page_style, \"@style@\")
namespace twinset {
std::string_view page_script() { return {twinset_embedded_page_script, page_script_bytes()}; }
std::string_view page_style() { return {twinset_embedded_page_style, page_style_bytes()}; }
}  // namespace twinset
")
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${script};${style}")
endfunction()
