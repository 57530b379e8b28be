// One line of twinset's own JSON read back: its fields by name.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "io/json_fields.h"
#include "twinset/result.h"

namespace twinset {

/// Looks fields of a line up; names nested by dots.
class JsonLine {
 public:
  /// False if `line` is no JSON object. Views stay valid while `line` does.
  bool parse(std::string_view line, std::span<const std::string_view> names);
  /// The value as written; empty if missing.
  std::string_view raw(std::size_t field) const { return found_[field].value.raw; }
  /// A string's decoded bytes, a number as written, empty otherwise.
  std::string text(std::size_t field) const;
  std::uint64_t number(std::size_t field) const;
  double real(std::size_t field) const;

 private:
  std::vector<FoundField> found_;
  std::string room_;
};

/// The strings of a JSON array as written, each decoded; other values as written.
std::vector<std::string> json_array_texts(std::string_view array);

/// Calls `use` for each line of a file of an output folder (.zst or plain) until
/// it says false. Errors (io): the file cannot be read to its end.
Status for_each_line(FileSystem& files, const std::string& path,
                     const std::function<Result<bool>(std::string_view line)>& use);

}  // namespace twinset
