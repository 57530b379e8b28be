// How evenly signatures spread: counted by their first byte (papers/003, section 6.3; S-29).
//
//   SignatureBins bins(Tells::coordinate);
//   bins.add(sketch.stored);              // each document
//   bins.add(others);                     // of another batch
//   bins.coordinates()[0][255];           // signatures at coordinate 0 with the first byte ff
//   chi_square(bins.coordinates()[0]);    // about 255 if they are uniform
//
// Threads: values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scheme/scheme.h"

namespace twinset {

using ByteCounts = std::array<std::uint64_t, 256>;

/// The statistic of Pearson's test that all bytes are equally frequent; 0 without any. It has 255
/// degrees of freedom: independent uniform bytes give 255 on average, and more than
/// `chi_square_limit` once in a thousand samples. The approximation holds from `least_signatures`
/// on, which are five a bin.
double chi_square(const ByteCounts& counts);
inline constexpr double chi_square_limit = 330.5;
inline constexpr std::uint64_t least_signatures = 1280;

/// All that are counted.
std::uint64_t sum_of(const ByteCounts& counts);

/// Counts signatures by their first byte: by the highest bits of the first word of a scheme that
/// tells a distance, of each word of one that tells coordinates. Other schemes have no hash value
/// to count.
class SignatureBins {
 public:
  explicit SignatureBins(Tells tells) : tells_(tells) {}

  static bool has_any(Tells tells) {
    return tells == Tells::distance || tells == Tells::coordinate;
  }
  void add(std::span<const std::uint8_t> stored);
  void add(const SignatureBins& other);
  void clear() { coordinates_.clear(); }
  const std::vector<ByteCounts>& coordinates() const { return coordinates_; }

 private:
  Tells tells_;
  std::vector<ByteCounts> coordinates_;
};

}  // namespace twinset
