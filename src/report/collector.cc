// Short sorted lists: a new item is inserted in order, and the last one drops out. Every comparison
// ends with the documents themselves, so that the order of arrival does not decide between equal
// numbers. A pair is sampled by a hash of its documents: the lowest of each stratum.
//
// This file's interface is collector.h; the rest is private.
#include "report/collector.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "base/hash.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_resemblance_bars = 26;
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

std::uint64_t sum_of(const ResemblanceBins& all, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += all.bins[i];
  return sum;
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

Histogram resemblance_histogram(std::string title, std::string up, const ResemblanceBins& first,
                                std::string first_name, const ResemblanceBins& second,
                                std::string second_name) {
  Histogram chart{
      std::move(title), "resemblance", std::move(up), {std::move(first_name)}, {}, false};
  const bool two = sum_of(second, 0, 101) > 0;
  if (two) chart.series.push_back(std::move(second_name));
  std::size_t lowest = 0;
  while (lowest < 101 && first.bins[lowest] + second.bins[lowest] == 0) ++lowest;
  if (lowest == 101) return chart;
  // A step that divides 100, so that bars end at 1; the last bar is exactly 1.
  std::size_t step = 1;
  for (const std::size_t candidate : {1, 2, 4, 5}) {
    step = candidate;
    if ((100 - lowest + step - 1) / step + 1 <= most_resemblance_bars) break;
  }
  const auto add_bar = [&](std::string label, std::string range, std::size_t begin,
                           std::size_t end) {
    Bar bar{std::move(label), std::move(range), {sum_of(first, begin, end)}};
    if (two) bar.counts.push_back(sum_of(second, begin, end));
    chart.bars.push_back(std::move(bar));
  };
  for (std::size_t begin = lowest - lowest % step; begin < 100; begin += step) {
    const std::string label = fmt::format("{:.2f}", static_cast<double>(begin) / 100);
    const std::size_t end = begin + step;
    const std::string below =
        end == 100 ? "1" : fmt::format("{:.2f}", static_cast<double>(end) / 100);
    add_bar(label, label + " to below " + below, begin, end);
  }
  add_bar("1", "exactly 1", 100, 101);
  return chart;
}

Histogram size_histogram(const std::vector<std::uint64_t>& sizes) {
  Histogram chart{
      "Clusters by size", "documents in the cluster", "clusters", {"clusters"}, {}, true};
  for (std::size_t i = 1; i < sizes.size() && i < 64; ++i) {
    const std::uint64_t first = std::uint64_t{1} << i;
    chart.bars.push_back({short_count(first) + "+",
                          format_count(first) + " to " + format_count(first + (first - 1)),
                          {sizes[i]}});
  }
  return chart;
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
