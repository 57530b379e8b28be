#include "cluster/distance_table.h"

namespace twinset {

DistanceTable::DistanceTable(std::uint32_t documents, std::uint32_t distance, ClusterShape shape)
    : equal_(documents), paired_(documents), pairs_(distance + 1) {
  for (std::uint32_t d = 0; d <= distance; ++d) {
    PairFloor within;
    within.kind = LinkKind::distance;
    within.distance = d;
    at_.emplace_back(documents, within, shape);
  }
}

void DistanceTable::fold(std::uint32_t copy, std::uint32_t representative) {
  for (Clustering& clustering : at_) clustering.fold(copy, representative, false);
}

void DistanceTable::add(const SharedPair& pair) {
  for (Clustering& clustering : at_) clustering.add(pair);
}

void DistanceTable::lead(std::span<const std::uint32_t> ranks) {
  for (Clustering& clustering : at_) clustering.lead(ranks);
}

void DistanceTable::end_adding() {
  for (std::uint32_t i = 0; i < equal_.size(); ++i) ++equal_[at_[0].representative(i)];
  for (const std::uint64_t equal : equal_) pairs_[0] += equal * (equal - (equal > 0 ? 1 : 0)) / 2;
}

void DistanceTable::count(const SharedPair& pair) {
  if (pair.keys.shared == 0) return;
  const std::uint32_t a = at_[0].representative(pair.a);
  const std::uint32_t b = at_[0].representative(pair.b);
  paired_[a] = paired_[b] = true;
  pairs_[pair.keys.shared] += std::uint64_t{equal_[a]} * equal_[b];
}

std::vector<DistanceCounts> DistanceTable::rows() {
  std::uint64_t documents = 0;  // that are near another one
  for (std::size_t i = 0; i < equal_.size(); ++i) {
    if (equal_[i] > 1 || paired_[i]) documents += equal_[i];
  }
  std::vector<DistanceCounts> rows;
  std::uint64_t pairs = 0;
  std::vector<std::uint32_t> sizes(equal_.size());
  for (std::size_t d = 0; d < at_.size(); ++d) {
    pairs += pairs_[d];
    DistanceCounts row{.distance = static_cast<std::uint32_t>(d), .pairs = pairs};
    sizes.assign(sizes.size(), 0);
    for (std::uint32_t i = 0; i < sizes.size(); ++i) ++sizes[at_[d].representative(i)];
    for (const std::uint32_t size : sizes) {
      row.clusters += size > 1 ? 1 : 0;
      row.documents += size > 1 ? size : 0;
    }
    row.mean_size_without_self =
        documents == 0 ? 0 : 2 * static_cast<double>(pairs) / static_cast<double>(documents);
    row.mean_size = documents == 0 ? 0 : row.mean_size_without_self + 1;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace twinset
