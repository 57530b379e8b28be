// Everything but the lost text follows from the table of how many documents each
// (cluster, label) has, and from its sums by row and by column.
//
// This file's interface is evaluate/labels.h; the rest is private.
#include "evaluate/labels.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace twinset {
namespace {

struct Cell {
  std::uint32_t cluster = 0;
  std::uint32_t label = 0;
  std::uint64_t documents = 0;
};

/// The table's cells that are not empty, in order, so that sums of shares are
/// added up in one order everywhere.
std::vector<Cell> cells_of(std::span<const std::uint32_t> clusters,
                           std::span<const std::uint32_t> labels) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(clusters.size());
  for (std::size_t d = 0; d < clusters.size(); ++d) pairs.emplace_back(clusters[d], labels[d]);
  std::sort(pairs.begin(), pairs.end());
  std::vector<Cell> cells;
  for (const auto& [cluster, label] : pairs) {
    if (cells.empty() || cells.back().cluster != cluster || cells.back().label != label) {
      cells.push_back({cluster, label, 0});
    }
    ++cells.back().documents;
  }
  return cells;
}

using Sizes = std::unordered_map<std::uint32_t, std::uint64_t>;

Sizes sizes_of(std::span<const std::uint32_t> names) {
  Sizes sizes;
  for (const std::uint32_t name : names) ++sizes[name];
  return sizes;
}

std::uint64_t pairs_of(std::uint64_t documents) {
  return documents < 2 ? 0 : documents * (documents - 1) / 2;
}

std::uint64_t pairs_within(const Sizes& sizes) {
  std::uint64_t pairs = 0;
  for (const auto& [name, size] : sizes) pairs += pairs_of(size);
  return pairs;
}

double adjusted_rand(std::uint64_t both, std::uint64_t clustered, std::uint64_t labelled,
                     std::uint64_t all) {
  if (all == 0) return 1;
  const double expected =
      static_cast<double>(clustered) * static_cast<double>(labelled) / static_cast<double>(all);
  const double most = (static_cast<double>(clustered) + static_cast<double>(labelled)) / 2;
  if (clustered == labelled && (clustered == 0 || clustered == all)) return 1;
  return (static_cast<double>(both) - expected) / (most - expected);
}

void measure_loss(std::span<const std::uint32_t> clusters, std::span<const std::uint32_t> labels,
                  std::span<const std::uint64_t> bytes, LabelMeasures& out) {
  std::unordered_set<std::uint32_t> seen;
  std::unordered_set<std::uint32_t> kept_labels;
  std::vector<std::size_t> removed;
  for (std::size_t d = 0; d < clusters.size(); ++d) {
    out.bytes += bytes[d];
    if (seen.insert(clusters[d]).second) {
      kept_labels.insert(labels[d]);
    } else {
      removed.push_back(d);
    }
  }
  for (const std::size_t d : removed) {
    ++out.removed_documents;
    out.removed_bytes += bytes[d];
    if (kept_labels.contains(labels[d])) continue;
    ++out.lost_documents;
    out.lost_bytes += bytes[d];
  }
}

}  // namespace

LabelMeasures measure_labels(std::span<const std::uint32_t> clusters,
                             std::span<const std::uint32_t> labels,
                             std::span<const std::uint64_t> bytes) {
  assert(clusters.size() == labels.size() && clusters.size() == bytes.size());
  LabelMeasures out;
  const Sizes cluster_sizes = sizes_of(clusters);
  const Sizes label_sizes = sizes_of(labels);
  out.documents = clusters.size();
  out.labels = label_sizes.size();
  out.clusters = cluster_sizes.size();
  std::uint64_t both = 0;
  double precision = 0;
  double recall = 0;
  for (const Cell& cell : cells_of(clusters, labels)) {
    both += pairs_of(cell.documents);
    const double square = static_cast<double>(cell.documents) * static_cast<double>(cell.documents);
    precision += square / static_cast<double>(cluster_sizes.at(cell.cluster));
    recall += square / static_cast<double>(label_sizes.at(cell.label));
  }
  const std::uint64_t clustered = pairs_within(cluster_sizes);
  const std::uint64_t labelled = pairs_within(label_sizes);
  out.pair_precision = {both, clustered};
  out.pair_recall = {both, labelled};
  out.adjusted_rand = adjusted_rand(both, clustered, labelled, pairs_of(out.documents));
  if (out.documents > 0) {
    out.bcubed_precision = precision / static_cast<double>(out.documents);
    out.bcubed_recall = recall / static_cast<double>(out.documents);
    out.bcubed_f1 =
        2 * out.bcubed_precision * out.bcubed_recall / (out.bcubed_precision + out.bcubed_recall);
  }
  measure_loss(clusters, labels, bytes, out);
  return out;
}

}  // namespace twinset
