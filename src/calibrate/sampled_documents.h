// The documents that a calibration compares: originals of the collection, then planted copies.
//
//   SampledDocuments sample;                         // filled by hand, or
//   plant_copies(analyzer, seed, threads, sample);   // three copies of each original
//   sample.views(analyzer);                          // for sketches
//
// Threads: values; plant_copies() uses as many as it is given.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/keep_going.h"
#include "scheme/document_view.h"
#include "text/analyzer.h"
#include "twinset/result.h"

namespace twinset {

/// Distinct words that planted copies have replaced, of each 1,000: one copy of an original each
/// (S-31).
inline constexpr std::array<std::uint64_t, 3> planted_per_mille = {10, 20, 50};

struct SampledText {
  std::string text;
  Analysis analysis;  ///< its tokens only
};

struct SampledDocuments {
  std::vector<SampledText> texts;  ///< originals, then the copies of each in turn
  std::size_t originals = 0;

  /// The copy of an original with planted_per_mille[rate] replaced.
  std::uint32_t copy_of(std::uint32_t original, std::size_t rate) const {
    return static_cast<std::uint32_t>(originals + original * planted_per_mille.size() + rate);
  }
  std::vector<std::uint64_t> tokens() const;
  std::vector<GivenView> views(const Analyzer& analyzer) const;
};

/// The copy of a text with planted_per_mille[rate] replaced. `original` is the number of the text.
std::string planted_copy(std::string_view text, std::size_t rate, std::uint64_t seed,
                         std::uint64_t original);

/// Errors: keep_going's.
Status plant_copies(const Analyzer& analyzer, std::uint64_t seed, unsigned threads,
                    const KeepGoing& keep_going, SampledDocuments& sample);

}  // namespace twinset
