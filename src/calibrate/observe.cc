// This file's interface is calibrate/observe.h; the rest is private.
#include "calibrate/observe.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/message.h"
#include "evaluate/clustered_share.h"
#include "evaluate/tally.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_same_pairs = 2'000'000;

auto place(const ObservedPair& pair) { return std::pair(pair.a, pair.b); }

}  // namespace

Result<std::vector<ObservedPair>> observe_labels(std::span<const std::uint32_t> labels,
                                                 const FoundPairs& found) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t d = 0; d < labels.size(); ++d) members[labels[d]].push_back(d);
  std::uint64_t same = 0;
  for (const auto& [label, of] : members) same += std::uint64_t{of.size()} * (of.size() - 1) / 2;
  if (same > most_same_pairs) {
    return usage_error(format_count(same) + " pairs of documents share a label, and at most " +
                       format_count(most_same_pairs) + " can be held: take fewer documents (" +
                       option("sample") + "), or finer labels");
  }
  TWINSET_ASSIGN(const std::vector<FoundPair> near,
                 found.among(static_cast<std::uint32_t>(labels.size())));
  std::vector<ObservedPair> pairs;
  pairs.reserve(same + near.size());
  for (const auto& [label, of] : members) {
    for (std::size_t b = 1; b < of.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) pairs.push_back({of[a], of[b], 0, true});
    }
  }
  std::ranges::sort(pairs, {}, place);
  const std::size_t known = pairs.size();
  for (const FoundPair& pair : near) {
    if (labels[pair.a] != labels[pair.b]) {
      pairs.push_back({pair.a, pair.b, pair.found, false});
      continue;
    }
    const auto at =
        std::ranges::lower_bound(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(known),
                                 std::pair(pair.a, pair.b), {}, place);
    at->found = pair.found;
  }
  return pairs;
}

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

Result<std::vector<ObservedPair>> observe_planted(const SampledDocuments& sample,
                                                  const Ratio& resemblance,
                                                  const ShingleCollection& shingles,
                                                  const FoundPairs& found) {
  const auto originals = static_cast<std::uint32_t>(sample.originals);
  TWINSET_ASSIGN(const std::vector<FoundPair> near, found.among(originals));
  std::vector<ObservedPair> pairs;
  pairs.reserve(near.size() + std::size_t{originals} * planted_per_mille.size());
  for (const FoundPair& pair : near) {
    const bool same = shingles.pair(pair.a, pair.b).resemblance().at_least(resemblance);
    pairs.push_back({pair.a, pair.b, pair.found, same, false, false});
  }
  for (std::uint32_t original = 0; original < originals; ++original) {
    for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
      const std::uint32_t copy = sample.copy_of(original, rate);
      pairs.push_back({original, copy, found.at(original, copy), true, true});
    }
  }
  return pairs;
}

std::vector<PlantedCopy> planted_copies(const SampledDocuments& sample,
                                        std::span<const ObservedPair> pairs) {
  std::vector<PlantedCopy> copies;
  for (const ObservedPair& pair : pairs) {
    if (!pair.planted) continue;
    const std::size_t rate = (pair.b - sample.originals) % planted_per_mille.size();
    copies.push_back({rate, sample.texts[pair.a].analysis.tokens.size(), pair.found});
  }
  return copies;
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
