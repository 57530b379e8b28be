// Finds a few named fields of a JSON object in one pass over all of it.
//
//   FieldPaths paths({"text", "meta.id"});
//   std::array<FoundField, 2> found;
//   JsonFault fault;
//   bool valid = find_json_fields(line, paths, found, room, fault);
//
// Every byte is checked, also in fields that were not asked for: a line that passes is JSON
// throughout. Names are nested by dots. Of equal keys the last wins, at each
// level: a later "meta" replaces an earlier one with all it held.
//
// Threads: pure functions; a FieldPaths is immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_scan.h"

namespace twinset {

/// Names split at their dots; "\." is a dot and "\\" a backslash within a name. At most 32 names of
/// at most 64 steps.
class FieldPaths {
 public:
  /// An empty name is never found.
  explicit FieldPaths(std::span<const std::string_view> names);
  std::size_t size() const { return paths_.size(); }
  std::span<const std::string> operator[](std::size_t i) const { return paths_[i]; }

 private:
  std::vector<std::vector<std::string>> paths_;
};

struct FoundField {
  JsonValue value;        ///< kind `none`: not there
  std::string_view text;  ///< of the first path only, if a string: decoded
};

/// Finds each path's value in the object `line`. `found` has an element for each path. Only the
/// first path's string is decoded: into `room` (line.size() + 64 bytes) if it holds escapes, else
/// `text` lies in `line` itself. False with `fault` set if `line` is not a JSON object; then ignore
/// `found`.
bool find_json_fields(std::string_view line, const FieldPaths& paths, std::span<FoundField> found,
                      char* room, JsonFault& fault);

/// The object of a record: its bytes without white space, a mark or a comma before it.
std::string_view object_of(std::string_view raw);

/// The names of an object's first fields, at most twelve, each with at most 40 bytes, for messages.
std::vector<std::string> json_field_names(std::string_view line);

}  // namespace twinset
