// Lines of lists as a run writes them, byte for byte, read from left to right: ten times as fast as
// fields in any order. Any other line is left to its declared fields.
//
//   WrittenName name;
//   if (!read_written_name(raw, name)) ...   // by FieldLine<NamedDocument>
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "twinset/dedup.h"

namespace twinset {

/// Views of a line.
struct WrittenName {
  std::string_view id;    ///< a JSON value
  std::string_view file;  ///< its text, which has no escapes
  std::uint64_t record = 0;
  std::uint64_t fingerprint = 0;
};

struct WrittenRemoval {
  WrittenName document;  ///< without its fingerprint
  RemovalKind kind = RemovalKind::identical;
  double resemblance = 0;
};

/// {"id": "d7", "file": "b.jsonl", "record": 3, "fingerprint": "5d1c0f9a7be24431"}
bool read_written_name(std::string_view line, WrittenName& out);
/// A line of removed.jsonl.zst up to its resemblance.
bool read_written_removal(std::string_view line, WrittenRemoval& out);

}  // namespace twinset
