// The parts of a trial's pairs whose recall is shown separately: by kind, edit, length, cluster
// size and resemblance. A due pair is in at most one part of each family.
//
//   TrialParts parts(set, {4, 5});
//   PartCounts recall(parts);
//   for (const ExactPair& pair : set.pairs()) {
//     recall.add(parts.of_pair(pair), parts.cluster(pair.b), found(pair));
//   }
//   TWINSET_ASSIGN(const std::vector<Share> shares, recall.shares(seed, keep_going));
//   // shares[part] belongs to the part of that number in parts.families()
//
// Threads: TrialParts is immutable and shared; PartCounts belongs to one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/clustered_share.h"
#include "evaluate/trial_set.h"
#include "evaluate/truth.h"
#include "twinset/evaluate.h"

namespace twinset {

/// As edits() lists them.
std::vector<PlantedEdit> planted_edits(const TrialSet& set);

class TrialParts {
 public:
  /// Parts of the pairs due at `resemblance`, or by the set's truth, and of those that are only
  /// contained. Borrows the set.
  TrialParts(const TrialSet& set, const Ratio& resemblance);

  const std::vector<PartFamily>& families() const { return families_; }
  std::size_t size() const { return families_.back().first + families_.back().labels.size(); }

  /// The component of due pairs that a document is in.
  std::uint32_t cluster(std::uint32_t document) const { return clusters_[document]; }
  bool due(const ExactPair& pair) const { return truth_->due(pair); }
  /// The part of pairs that are contained but not due.
  std::size_t only_contained() const { return pair_kinds; }
  /// The parts of a pair of the set: none if it is neither due nor contained.
  std::vector<std::size_t> of_pair(const ExactPair& pair) const;
  /// The parts of a removal of `removed`, whatever its survivor.
  std::vector<std::size_t> of_removal(std::uint32_t removed) const;

 private:
  std::size_t length_part(std::size_t tokens) const;
  std::size_t size_part(std::uint32_t document) const;
  std::size_t part(std::size_t family, std::size_t i) const { return families_[family].first + i; }

  const TrialSet& set_;
  std::unique_ptr<Truth> truth_;
  std::unique_ptr<Truth> containment_;
  std::unique_ptr<Truth> label_;
  std::vector<PartFamily> families_;
  std::vector<std::uint32_t> clusters_;
  std::vector<std::uint32_t> cluster_sizes_;  // by the cluster's name
};

class PartCounts {
 public:
  explicit PartCounts(const TrialParts& parts) : counts_(parts.size()) {}
  void add(const std::vector<std::size_t>& parts, std::uint32_t cluster, bool counted) {
    for (const std::size_t part : parts) counts_[part].add(cluster, counted);
  }
  /// By part. Errors: keep_going's.
  Result<std::vector<Share>> shares(std::uint64_t seed, const KeepGoing& keep_going) const;

 private:
  std::vector<ClusterTallies> counts_;
};

}  // namespace twinset
