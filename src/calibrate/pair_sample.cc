// This file's interface is calibrate/pair_sample.h; the rest is private.
#include "calibrate/pair_sample.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "evaluate/random.h"

namespace twinset {
namespace {

constexpr std::uint64_t rank_purpose = 24;

bool before(const DrawnPair& a, const DrawnPair& b) {
  return std::tie(a.rank, a.a, a.b) < std::tie(b.rank, b.a, b.b);
}

}  // namespace

PairSample::PairSample(std::size_t values, const PairSampleOptions& options)
    : values_(values), options_(options), lowest_(token_classes * values * 2) {
  for (auto& of : found_) of.resize(values);
}

std::uint64_t PairSample::bytes_needed(std::size_t values, std::uint64_t most) {
  // Each vector may have grown to twice its size; all are copied into one at the end.
  return token_classes * values * 2 * most * sizeof(DrawnPair) * 3;
}

void PairSample::add(std::uint32_t a, std::uint32_t b, std::uint64_t tokens, std::size_t value) {
  const std::size_t length = token_class(tokens);
  const DrawnPair pair{derive_seed(derive_seed(options_.seed, rank_purpose), a, b), a, b,
                       static_cast<std::uint8_t>(length), static_cast<std::uint8_t>(value)};
  for (std::size_t v = value; v < values_; ++v) {
    ++found_[length][v];
    Lowest& kept = lowest(length, v, pair.half());
    if (kept.size() >= options_.most) {
      if (!before(pair, kept.front())) continue;
      std::ranges::pop_heap(kept, before);
      kept.back() = pair;
    } else {
      kept.push_back(pair);
    }
    std::ranges::push_heap(kept, before);
  }
}

DrawnPairs PairSample::take() && {
  DrawnPairs drawn;
  drawn.most = options_.most;
  drawn.found = std::move(found_);
  for (Lowest& kept : lowest_) {
    drawn.pairs.insert(drawn.pairs.end(), kept.begin(), kept.end());
    kept = {};
  }
  const auto documents = [](const DrawnPair& pair) { return std::pair(pair.a, pair.b); };
  std::ranges::sort(drawn.pairs, {}, documents);
  const auto equal = [&](const DrawnPair& x, const DrawnPair& y) {
    return documents(x) == documents(y);
  };
  drawn.pairs.erase(std::unique(drawn.pairs.begin(), drawn.pairs.end(), equal), drawn.pairs.end());
  return drawn;
}

}  // namespace twinset
