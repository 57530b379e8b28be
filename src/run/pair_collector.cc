// Short sorted lists: a new item is inserted in order, and the last one drops out. Every comparison
// ends with the documents themselves, so that the order of arrival does not decide between equal
// numbers. A pair is sampled by a hash of its documents: the lowest of each stratum.
//
// This file's interface is run/pair_collector.h; the rest is private.
#include "run/pair_collector.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "base/hash.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Many odd pairs may share a document.
constexpr std::size_t most_odd_held = 128;

bool odder(const SeenPair& a, const SeenPair& b) {
  const double x = oddness(a), y = oddness(b);
  if (x != y) return x > y;
  return std::tie(a.earlier, a.later) < std::tie(b.earlier, b.later);
}

bool drawn_before(const SeenPair& a, const SeenPair& b) {
  const auto rank = [](const SeenPair& pair) { return mix64(mix64(pair.earlier) ^ pair.later); };
  const std::uint64_t x = rank(a), y = rank(b);
  return std::tie(x, a.earlier, a.later) < std::tie(y, b.earlier, b.later);
}

}  // namespace

void ResemblanceBins::add(double resemblance) {
  // A share such as 0.29 is slightly below 29 hundredths in binary; the nudge is far below the
  // smallest step between shares of shingles.
  constexpr double nudge = 1e-12;
  if (resemblance >= 1) {
    ++bins[100];
  } else if (resemblance > 0) {
    ++bins[std::min<std::size_t>(99, static_cast<std::size_t>((resemblance + nudge) * 100))];
  } else {
    ++bins[0];
  }
}

double oddness(const SeenPair& pair) {
  const double apart = pair.apart ? 0.1 : 0;
  if (!pair.link.counts()) return apart + 1 - pair.link.resemblance();
  const Overlap& sizes = pair.link.numbers;
  const double contained = std::max(sizes.containment(), sizes.earlier_containment());
  const double lengths = pair.fate == Fate::contained ? 1
                                                      : share(std::min(sizes.later, sizes.earlier),
                                                              std::max(sizes.later, sizes.earlier));
  return apart + 2 * (1 - contained) + (1 - lengths);
}

std::size_t PairCollector::stratum_of(const SeenPair& pair) const {
  if (pair.fate == Fate::identical) return bands;
  if (pair.fate == Fate::lexical) return bands + 1;
  if (pair.fate == Fate::contained) return bands + 2;
  const double width = std::max(1 - threshold_, 1e-9) / bands;
  const double place = std::max(0.0, pair.link.resemblance() - threshold_) / width;
  return std::min(bands - 1, static_cast<std::size_t>(place));
}

void PairCollector::add(const SeenPair& pair) {
  insert_bounded(sampled_[stratum_of(pair)], pair, 1, drawn_before);
  if (is_copy(pair.fate)) return;
  if (oddest_.size() == most_odd_held && !odder(pair, oddest_.back())) return;
  const auto same = std::find_if(oddest_.begin(), oddest_.end(), [&](const SeenPair& other) {
    return other.earlier == pair.earlier;
  });
  if (same != oddest_.end()) {
    if (!odder(pair, *same)) return;
    oddest_.erase(same);
  }
  insert_bounded(oddest_, pair, most_odd_held, odder);
}

std::vector<SeenPair> PairCollector::oddest() const {
  std::vector<SeenPair> pairs;
  std::set<std::uint64_t> shown;
  for (const SeenPair& pair : oddest_) {
    if (pairs.size() == most_odd) break;
    if (shown.contains(pair.earlier) || shown.contains(pair.later)) continue;
    shown.insert({pair.earlier, pair.later});
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<SeenPair> PairCollector::sample() const {
  std::vector<SeenPair> pairs;
  for (const auto& stratum : sampled_) pairs.insert(pairs.end(), stratum.begin(), stratum.end());
  return pairs;
}

}  // namespace twinset
