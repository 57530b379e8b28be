// This file's interface is calibrate/observe.h; the rest is private.
#include "calibrate/observe.h"

#include <algorithm>
#include <map>
#include <utility>

#include "evaluate/clustered_share.h"
#include "evaluate/tally.h"

namespace twinset {
std::vector<ObservedPair> observe_judged(const JudgedPairs& judged, const FoundPairs& found) {
  std::vector<ObservedPair> pairs;
  pairs.reserve(judged.pairs().size());
  for (const KnownPair& pair : judged.pairs()) {
    const std::uint32_t a = judged.document(pair.a);
    const std::uint32_t b = judged.document(pair.b);
    pairs.push_back({std::min(a, b), std::max(a, b), found.at(a, b), pair.same});
  }
  return pairs;
}

std::vector<PlantedRecall> planted_recall(std::span<const PlantedCopy> copies, std::size_t values) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Tally>> tallies;  // by rate, by length
  for (const PlantedCopy& copy : copies) {
    std::vector<Tally>& of = tallies[{copy.rate, token_class(copy.tokens)}];
    of.resize(values);
    for (std::size_t value = 0; value < values; ++value) {
      of[value].add((copy.found >> value & 1) != 0);
    }
  }
  std::vector<PlantedRecall> out;
  for (const auto& [rate_and_length, of] : tallies) {
    const auto& [rate, length] = rate_and_length;
    PlantedRecall recall{
        static_cast<double>(planted_per_mille[rate]) / 1000, range_of_class(length), {}};
    for (const Tally& tally : of) recall.found.push_back(share_of(tally));
    out.push_back(std::move(recall));
  }
  return out;
}

}  // namespace twinset
