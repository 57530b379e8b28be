// A scheme's sketches and keys of a small collection, held in memory, and the cost of making them.
//
//   SketchedDocuments sketched = sketch_documents(scheme, views, threads);
//   double microseconds = time_sketches(scheme, documents_to_time(views));
//
// Threads: a call uses as many as it is given; times are of one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheme/scheme.h"
#include "text/analyzer.h"

namespace twinset {

/// By document.
struct SketchedDocuments {
  std::vector<std::vector<std::uint8_t>> stored;  ///< empty: an empty sketch
  /// Repeats removed. Of a scheme that joins by distance: keys that exactly the documents within
  /// usual_join_distance share.
  std::vector<std::vector<std::uint64_t>> keys;
};

/// Error (usage) if the scheme does not know the tokens of these documents.
Status check_views(const Scheme& scheme, std::span<const GivenView> documents);

/// `documents` give text and analysis; shingles are made here.
SketchedDocuments sketch_documents(const Scheme& scheme, std::span<const GivenView> documents,
                                   unsigned threads);

/// What the sketches of two documents tell; nothing if the scheme's keys say that they are equal.
Comparison compare_pair(const Scheme& scheme, const SketchedDocuments& sketched, std::uint32_t a,
                        std::uint32_t b);

/// Whether a pair that shares a key is found, and whether its estimate passes it; see trial.h.
struct PairVerdict {
  bool found = false;
  bool passed = false;
};
PairVerdict judge_pair(SharedKey shared_key, const Comparison& comparison, const Ratio& threshold);

/// Would the scheme find that one may contain the other? As judge_pair().found but, if keys are
/// counted, by an estimate of either containment.
bool finds_containment(SharedKey shared_key, const Comparison& comparison,
                       const Ratio& containment);

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
