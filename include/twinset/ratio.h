// A share written by a user, kept as the exact fraction of integers it names,
// so that a threshold is compared without rounding. Also a number with its interval.
//
//   Result<Ratio> threshold = Ratio::parse("0.8");   // 4/5; "80%" is the same
//   threshold.value().reached_by(shared, total);     // shared/total >= 0.8
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/result.h"

namespace twinset {

class Ratio {
 public:
  constexpr Ratio() = default;
  constexpr Ratio(std::uint32_t numerator, std::uint32_t denominator)
      : numerator_(numerator), denominator_(denominator) {}

  /// "0.8", ".8", "1", "80%", "4/5"; at most 6 decimals; in [0, 1].
  static Result<Ratio> parse(std::string_view text);

  /// part / whole >= this ratio, exactly. part, whole < 2^32; false if whole is 0.
  constexpr bool reached_by(std::uint64_t part, std::uint64_t whole) const {
    return whole != 0 && part * denominator_ >= whole * numerator_;
  }
  constexpr double value() const { return static_cast<double>(numerator_) / denominator_; }
  constexpr std::uint32_t numerator() const { return numerator_; }
  constexpr std::uint32_t denominator() const { return denominator_; }
  /// Decimal form, shortest that parses back: "0.8".
  std::string text() const;
  constexpr bool operator==(const Ratio&) const = default;

 private:
  std::uint32_t numerator_ = 0;
  std::uint32_t denominator_ = 1;
};

/// A number with an interval that holds the true one in 95 % of samples.
struct Interval {
  double value = 0;
  double low = 0;
  double high = 1;
};

}  // namespace twinset
