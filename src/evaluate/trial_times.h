// The cost of making a scheme's sketches and keys of a small collection, and of joining them.
//
//   double microseconds = time_sketches(scheme, documents_to_time(views));
//
// Threads: times are of one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "join/held_pairs.h"
#include "scheme/scheme.h"
#include "text/analyzer.h"
#include "twinset/ratio.h"

namespace twinset {

/// Microseconds of processor time a document, the least of three repetitions over the same
/// documents (one, if it takes seconds).
double time_sketches(const Scheme& scheme, std::span<const GivenView> documents);
double time_analysis(const Analyzer& analyzer, std::span<const GivenView> documents);
/// From text to shingle set, and counting another text's shingles in it.
double time_verification(const Analyzer& analyzer, unsigned shingle_tokens,
                         std::span<const GivenView> documents);

/// Finding the pairs that share a key and judging each, as a join in memory does.
double time_join(const Scheme& scheme, const SketchedDocuments& sketched, std::uint64_t max_group,
                 const Ratio& threshold);

/// Some of the documents, spread evenly: enough to time, few enough to repeat.
std::vector<GivenView> documents_to_time(std::span<const GivenView> documents);

}  // namespace twinset
