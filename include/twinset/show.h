// What is in a folder that dedup, cluster or recut made: clusters, the records of one, and
// records by why they went or how alike they are, each with its first words.
//
//   ShowOptions options;
//   options.output = "clean";
//   Result<std::string> answer = show(options, RunControl{});   // the largest clusters
//
// The files are read through once or twice and never held; words are read from the inputs,
// and shown only of records that are still those of the run.
//
// Threads: pure but for reading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct ShowOptions {
  std::string output;          ///< folder that dedup, cluster or recut made
  std::string cluster;         ///< id or file:record of a document in it; empty: the largest ones
  std::string kind;            ///< removed records (or pairs) of this kind: "near", ...; empty: any
  std::optional<Ratio> least;  ///< ... of at least this resemblance
  std::optional<Ratio> most;   ///< ... and at most this
  std::uint64_t top = 20;      ///< clusters, members or records shown
  bool json = false;           ///< a JSON object a line instead of text
};

std::vector<Option> options_of(ShowOptions& options);

/// Largest clusters first; records least alike first, then in input order. Errors: usage
/// (no such folder or cluster; an id of several records; no pairs in it), io.
Result<std::string> show(const ShowOptions& options, const RunControl& control);

}  // namespace twinset
