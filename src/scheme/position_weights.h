// Weights by position (S sections 5.2 and 5.3): the beginning of a text, or its beginning and end,
// count more than the rest. All are integers (scheme/fixed_point.h).
//
//   std::vector<std::uint64_t> weights;
//   PositionWeights(PositionFunction::log).append(1000, weights);   // of features 1 to 1,000
//
// The paper leaves open how log(x)/x is "shifted so that the result for small x is positive":
// log(1) is 0, and the first feature would be lost. Here it is log(x+1)/(x+1).
//
// Threads: immutable once made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Of the position x, from 1, among L: 1; log(x+1)/(x+1); 1/x; 1/log(x+1); cos(2 pi x/L) + 1.
enum class PositionFunction : std::uint8_t { none, log, inverse, inverse_log, cosine };
inline constexpr std::array<std::string_view, 5> position_function_names{"none", "log", "inverse",
                                                                         "inverse_log", "cosine"};

/// The largest weight in a file, and the most of them.
inline constexpr std::uint64_t max_position_weight = 65535;
inline constexpr std::size_t max_position_weights = std::size_t{1} << 20;

class PositionWeights {
 public:
  explicit PositionWeights(PositionFunction function);
  /// Weights from a file of whole numbers, one for each position, with white space between them;
  /// later positions have the last one. Error (usage) names the line of a number that is none or
  /// too large; (io) that the file cannot be read.
  static Result<PositionWeights> read(FileSystem& files, const std::string& path);
  /// The same for a file's bytes.
  static Result<PositionWeights> parse(std::string_view text, const std::string& path);

  /// Does every position weigh the same?
  bool alike() const { return function_ == PositionFunction::none && first_.empty(); }
  /// Appends the weights of positions 1 to `count`.
  void append(std::size_t count, std::vector<std::uint64_t>& out) const;

 private:
  PositionFunction function_;
  /// Of the first positions: those of a file, or computed before.
  std::vector<std::uint64_t> first_;
  bool last_goes_on_ = false;  ///< else later ones are computed
};

}  // namespace twinset
