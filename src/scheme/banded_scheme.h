// Schemes whose keys are bands of their sketch's values: fss, minhash, datasketch.
//
// Such a scheme declares the parameters `bands` and `rows`; 0 means chosen for the threshold.
//
// Threads: as scheme.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scheme/bands.h"
#include "scheme/estimate.h"
#include "scheme/packed_bits.h"
#include "scheme/scheme.h"

namespace twinset {

class BandedScheme : public Scheme {
 public:
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const final {
    if (!sketch.empty) append_band_keys(plan_, sketch.values, out);
  }
  std::optional<double> match_probability(double j) const final {
    return band_match_probability(plan_, j);
  }
  /// By the values that are equal: of 32 bits, or of SketchFacts::value_bits.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t> /*shingles*/) const final {
    if (a.size() != facts().stored_bytes || b.size() != a.size()) return {};
    const unsigned bits = facts().value_bits;
    Comparison out;
    out.resemblance = estimate_equal_values(
        bits == 0 ? count_equal_words(a, b) : count_matching(a, b, bits), facts());
    return out;
  }

 protected:
  BandedScheme(const SchemeDeclaration& declaration, const Parameters& values,
               const SketchFacts& facts, const BandPlan& plan)
      : Scheme(declaration, values, facts), plan_(plan) {}

 private:
  BandPlan plan_;
};

/// The plan over a sketch's values that the two parameters ask for; sets both to it.
inline Result<BandPlan> take_band_plan(Parameters& values, std::size_t sketch_values,
                                       std::size_t bands, std::size_t rows, double threshold) {
  TWINSET_ASSIGN(const BandPlan plan,
                 resolve_band_plan(static_cast<std::uint32_t>(values[sketch_values]), values[bands],
                                   values[rows], threshold));
  values.set(bands, plan.bands);
  values.set(rows, plan.rows);
  return plan;
}

}  // namespace twinset
