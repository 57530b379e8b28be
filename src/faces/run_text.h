// The lines that the results of several verbs begin or end with, for a terminal.
//
//   text += count_line(summary.read, "records read");   // "         1,234  records read"
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/run.h"

namespace twinset {

/// A count and its words, as a line of a summary.
std::string count_line(std::uint64_t count, std::string_view what);
/// The same; empty if there are none.
std::string count_line_of_some(std::uint64_t count, std::string_view what);

/// "12  without a signature: 2 of no words, 10 of few lexicon terms"; empty if there are none.
std::string without_signature_line(const WithoutSignature& without);

/// The records that a shard has read.
std::string shard_text(const std::string& shard, const RunFacts& facts);

/// The engine's part of a summary: seconds, CPU and memory, stages, what more threads would gain.
std::string engine_text(const RunFacts& facts);

}  // namespace twinset
