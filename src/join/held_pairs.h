// The pairs of a small collection, in memory: its sketches and keys, and the verdict on documents
// that share a key. key_partners.h finds these.
//
//   const SketchedDocuments sketched = sketch_documents(scheme, views, threads);
//   const KeyPartners shared(scheme, sketched.keys, max_group);
//   PartnerReader partners(shared);
//   for (std::uint32_t before : partners.before(7)) {
//     const Comparison found = compare_pair(scheme, sketched, before, 7);
//     if (judge_pair(scheme, found, Ratio(4, 5)).passed) ...
//   }
//
// Threads: sketch_documents() uses as many as it is given; the rest are pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheme/scheme.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// By document.
struct SketchedDocuments {
  std::vector<std::vector<std::uint8_t>> stored;  ///< empty: an empty sketch
  /// Without repeats. If the scheme joins by distance, two documents share a key exactly if they
  /// are within usual_join_distance.
  std::vector<std::vector<std::uint64_t>> keys;
};

/// Error (usage) if the scheme does not know the tokens of these documents.
Status check_views(const Scheme& scheme, std::span<const GivenView> documents);

/// `documents` give text and analysis; shingles are made here.
SketchedDocuments sketch_documents(const Scheme& scheme, std::span<const GivenView> documents,
                                   unsigned threads);

/// What the sketches of two documents tell, without the keys of `common` as Scheme::compare()
/// leaves them out; nothing if the scheme's keys say that they are equal.
Comparison compare_pair(const Scheme& scheme, const SketchedDocuments& sketched, std::uint32_t a,
                        std::uint32_t b, std::span<const std::uint64_t> common = {});

/// The verdict on a pair that shares a key.
struct PairVerdict {
  bool found = false;   ///< by its keys: it is verified, if texts are
  bool passed = false;  ///< by its sketches, which reach the threshold or cannot tell
};
PairVerdict judge_pair(const Scheme& scheme, const Comparison& comparison, const Ratio& threshold);

/// Would the scheme find that one may contain the other? As judge_pair().found but, if keys are
/// counted, by an estimate of either containment.
bool finds_containment(const Scheme& scheme, const Comparison& comparison,
                       const Ratio& containment);

/// Makes the sketches and keys of documents one by one, from text and analysis: shingles are made
/// here. Belongs to one thread.
class DocumentSketcher {
 public:
  explicit DocumentSketcher(const Scheme& scheme) : scheme_(scheme) {}
  /// Replaces the two below.
  void make(const GivenView& document);

  Sketch sketch;
  std::vector<std::uint64_t> keys;

 private:
  const Scheme& scheme_;
  std::vector<std::uint64_t> shingles_;
};

}  // namespace twinset
