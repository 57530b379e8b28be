// Chooses values from observed pairs: the loosest whose precision is high enough, for each length,
// on one half of the groups; and measures every value on both halves.
//
//   TWINSET_ASSIGN(const Choices chosen, choose(pairs, values, {.precision = {19, 20}}));
//   chosen.classes[0].chosen;      // index of the value
//
// A group is a component of the pairs that are the same; a seeded hash of the group chooses the
// half of its documents, so no document is in both. A pair of documents in different halves is in
// neither. Only wrong pairs can be that, and half of those between two groups are, so one that is
// not counts twice in a precision. Pairs of a group are not independent, so groups are what
// intervals count (evaluate/clustered_share.h); a pair of two groups belongs to that of its later
// document.
//
// A value is accepted if the lower end of its precision's interval reaches the precision asked for,
// not the estimate: of eight values with true precision just below the wish, the best estimate is
// likely above it. This bound needs a number of groups, below which no value could ever be
// accepted: lengths with fewer are merged.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "evaluate/keep_going.h"
#include "twinset/calibrate.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// Bit i of `found`: found at value i. At most 32 values.
struct ObservedPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t found = 0;
  bool same = false;
};

/// The order in which values are preferred.
enum class Prefer : std::uint8_t {
  last,   ///< the last value: each finds what those before it find, and more
  recall  ///< the one that found most pairs that are the same; the first of equals
};

struct ChoiceOptions {
  Ratio precision{19, 20};
  std::uint64_t seed = 1;
  bool by_length = true;  ///< false: one value for all lengths, in a class of all behind the others
  Prefer prefer = Prefer::last;
  KeepGoing keep_going = nullptr;
};

struct Choices {
  std::vector<CalibrationClass> classes;
  std::uint64_t groups = 0;
  double largest_group = 0;  ///< share of the documents with a pair that are in it
  std::uint64_t needed = 0;  ///< groups with found pairs, for a class to tell
};

/// The lengths of documents, before they are merged: bounds are 50, 100, 200, 500 and 1,000 tokens.
inline constexpr std::size_t token_classes = 6;
/// The number of the class of a document of so many tokens, shortest first.
std::size_t token_class(std::uint64_t tokens);
TokenRange range_of_class(std::size_t length);

/// The lengths that have at least `needed` of something, as `counts` tells of a class or of those
/// from one to another; a class with fewer is merged with the next longer one, and the rest at the
/// end with the one before it. One of all lengths if there are fewer in all.
std::vector<TokenRange> merged_ranges(
    std::uint64_t needed,
    const std::function<std::uint64_t(std::size_t first, std::size_t last)>& count);

/// Adds the classes of these lengths, which `measure` gives, to `out`: each with the row to take,
/// or one row for all in a class behind them.
Result<Choices> choices_by_length(
    std::span<const TokenRange> ranges,
    const std::function<Result<CalibrationClass>(const TokenRange&)>& measure,
    const ChoiceOptions& options, Choices out);

/// Groups of which all are right, for the lower end of Wilson's interval to reach `precision`,
/// which is below 1.
std::uint64_t groups_needed(const Ratio& precision);

/// `tokens` by document. Errors (usage): fewer groups with found pairs than needed, in either half;
/// keep_going's.
Result<Choices> choose(std::span<const ObservedPair> pairs, std::span<const std::uint64_t> tokens,
                       std::span<const std::string> values, const ChoiceOptions& options);

}  // namespace twinset
