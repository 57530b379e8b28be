// Two documents side by side as HTML: rows of what both have, what one has, and
// what has moved; long shared passages are cut to their ends.
//
// On a narrow page the columns stack, and text that is equal byte for byte is
// shown once.
//
// Threads: a pure function.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace twinset {

/// The most text of a pair that is shown; what is left out is counted.
inline constexpr std::size_t most_pair_bytes = 24'000;

/// What the two documents are to each other, in constants of the page.
struct PairWords {
  const char* tag;   ///< why the pair is shown
  const char* kind;  ///< class that colors the tag
  const char* a;
  const char* b;
  std::string note;  ///< HTML, after the numbers
};

/// Appends an <article>. `number` names it in the page ("pair-3").
/// Shares at or above the thresholds of `run` are not shown below them.
void append_pair(std::string& out, const ReportPair& pair, std::size_t number, const ReportRun& run,
                 const PairWords& words);

/// A removed record and its survivor.
void append_pair(std::string& out, const ReportPair& pair, std::size_t number,
                 const ReportRun& run);

}  // namespace twinset
