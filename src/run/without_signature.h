// Counting of the documents that have no signature, by reason.
//
// Threads: pure functions.
#pragma once

#include "scheme/scheme.h"
#include "twinset/run.h"

namespace twinset {

inline std::uint64_t& count_of(NoSignature reason, WithoutSignature& counts) {
  switch (reason) {
    case NoSignature::words:
      return counts.no_words;
    case NoSignature::terms:
      return counts.few_terms;
    case NoSignature::share:
      return counts.small_share;
    case NoSignature::features:
      break;
  }
  return counts.no_features;
}

inline void add_counts(const WithoutSignature& more, WithoutSignature& counts) {
  counts.no_words += more.no_words;
  counts.few_terms += more.few_terms;
  counts.small_share += more.small_share;
  counts.no_features += more.no_features;
}

}  // namespace twinset
