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

void PairSample::add(std::uint32_t a, std::uint32_t b, std::uint64_t tokens, std::uint32_t found) {
  const std::size_t length = token_class(tokens);
  const DrawnPair pair{derive_seed(derive_seed(options_.seed, rank_purpose), a, b), a, b,
                       static_cast<std::uint8_t>(length), found};
  for (std::size_t v = 0; v < values_; ++v) {
    if ((found >> v & 1) == 0) continue;
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
  std::size_t last = 0;
  for (std::size_t i = 1; i < drawn.pairs.size(); ++i) {
    if (documents(drawn.pairs[i]) == documents(drawn.pairs[last])) {
      drawn.pairs[last].found |= drawn.pairs[i].found;
    } else {
      drawn.pairs[++last] = drawn.pairs[i];
    }
  }
  drawn.pairs.resize(std::min(drawn.pairs.size(), last + 1));
  return drawn;
}

}  // namespace twinset
