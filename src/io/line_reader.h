// Splits a file into its lines, each a record, for the formats that are a record a line.
//
//   auto reader = make_line_reader(std::move(bytes), limits, decode_jsonl);
//
// Blank lines have numbers, but are not records. A line longer than is held is counted, not kept.
//
// Threads: as a Reader.
#pragma once

#include <memory>
#include <string_view>

#include "io/piece_reader.h"

namespace twinset {

std::unique_ptr<Reader> make_line_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits, DecodeBatch decode);

/// A record without the byte order mark that a file may begin with, and so any line where files
/// were concatenated.
std::string_view line_of(std::string_view raw);

}  // namespace twinset
