// One record of one input, by its number: what compare and explain look at.
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

/// Reads `input` up to record `number`. Errors: io; usage if there is no such
/// record or it is no document.
Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number);

/// A text as a reader sees it, to be shown: without its markup, and of a page, which is
/// full of empty elements, at most one blank line in a row.
std::string shown_text(std::string text, Markup markup);

}  // namespace twinset
