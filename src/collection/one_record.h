// One record of one input, by its number, for compare and explain.
//
// Threads: any; the functions only read.
#pragma once

#include <cstdint>
#include <string>

#include "base/files.h"
#include "collection/record_view.h"
#include "io/reader.h"
#include "twinset/result.h"

namespace twinset {

struct OneRecord {
  std::string text;
  Markup markup = Markup::none;
};

/// Reads `input` up to record `number`. Errors: io; usage if the record does not exist or is
/// not a document.
Result<OneRecord> read_one_record(FileSystem& files, const Input& input, const FieldNames& fields,
                                  const ReaderLimits& limits, std::uint64_t number);

/// A visible text for people: the text of a page has at most one blank line in a row, because pages
/// are full of empty elements.
std::string shown_text(const RecordView& view);

}  // namespace twinset
