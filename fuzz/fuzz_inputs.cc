// Any tree of files and any arguments: the list has no file and no name twice, and no name leads
// out of the output folder.
#include <filesystem>
#include <set>
#include <string>

#include "fuzz/input.h"
#include "io/inputs.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

/// Takes the next line from `rest`.
std::string next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string line(rest.substr(0, end));
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  // A path cannot have a NUL.
  return line.find('\0') == std::string::npos ? line : line.substr(0, line.find('\0'));
}

}  // namespace
}  // namespace twinset

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  fuzzing::FuzzInput fuzz(data, size);
  const std::size_t file_count = fuzz.below(8);
  const std::size_t argument_count = fuzz.below(4) + 1;
  std::string_view rest = fuzz.rest();
  MemoryFiles files;
  for (std::size_t i = 0; i < file_count; ++i) {
    const std::filesystem::path path("t" + next_line(rest));
    // No folder lists dots or an empty name.
    if (path == path.lexically_normal() && path.has_filename()) {
      require(files.write(path.native(), "{}").ok());
    }
  }
  InputOptions options;
  for (std::size_t i = 0; i < argument_count; ++i) options.inputs.push_back("t" + next_line(rest));
  if (!rest.empty()) options.references.push_back("t" + next_line(rest));
  options.spool = "spool";
  const Result<InputList> list = expand_inputs(files, options);
  if (!list.ok()) return 0;
  std::set<std::string> names;
  for (const Input& input : list.value().inputs) {
    require(!input.name.empty());
    if (input.reference) continue;
    require(names.insert(input.name).second);
    require(input.name.front() != '/');
    require(("/" + input.name + "/").find("/../") == std::string::npos);
  }
  return 0;
}
