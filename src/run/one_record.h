// One record of one input, by its number, for compare and explain.
//
// Threads: pure but for reading.
#pragma once

#include <cstdint>
#include <string>

#include "base/files.h"
#include "io/reader.h"
#include "twinset/result.h"

namespace twinset {

struct OneRecord {
  std::string text;
  std::string id;  ///< as written; empty if none
};

/// Reads `input` up to record `number`. Errors: io; usage if the record does not exist or is
/// not a document.
Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number);

/// A text for people: without its markup, and with at most one blank line in a row, because
/// pages are full of empty elements.
std::string shown_text(std::string text, Markup markup);

}  // namespace twinset
