// Every measure is computed from sums over labels, and the bootstrap draws labels: a document
// contributes the pairs that it is in, so a pair counts twice, half for each of its labels.
//
// This file's interface is evaluate/labels.h; the rest is private.
#include "evaluate/labels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace twinset {
namespace {

/// The documents of one label, or of several.
struct LabelSums {
  std::uint64_t documents = 0;
  std::uint64_t both = 0;       // pairs in one cluster and of one label, twice
  std::uint64_t clustered = 0;  // pairs in one cluster, twice
  std::uint64_t labeled = 0;    // pairs of one label, twice
  double precision = 0;
  double recall = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lost_bytes = 0;

  void add(const LabelSums& other) {
    documents += other.documents;
    both += other.both;
    clustered += other.clustered;
    labeled += other.labeled;
    precision += other.precision;
    recall += other.recall;
    bytes += other.bytes;
    lost_bytes += other.lost_bytes;
  }
};

double adjusted_rand(const LabelSums& sums) {
  const std::uint64_t all = sums.documents * (sums.documents - 1);
  if (sums.clustered == sums.labeled && (sums.clustered == 0 || sums.clustered == all)) return 1;
  const auto clustered = static_cast<double>(sums.clustered);
  const auto labeled = static_cast<double>(sums.labeled);
  const double expected = clustered * labeled / static_cast<double>(all);
  return (static_cast<double>(sums.both) - expected) / ((clustered + labeled) / 2 - expected);
}

enum Number : std::size_t {
  pair_precision,
  pair_recall,
  bcubed_precision,
  bcubed_recall,
  bcubed_f1,
  lost_share,
  rand_index,
  numbers
};

/// A share of nothing is 1: no pair is wrong, none is missed.
std::array<double, numbers> numbers_of(const LabelSums& sums) {
  const auto share = [](double count, double of) { return of == 0 ? 1 : count / of; };
  const auto documents = static_cast<double>(sums.documents);
  const auto both = static_cast<double>(sums.both);
  const double precision = share(sums.precision, documents);
  const double recall = share(sums.recall, documents);
  return {
      share(both, static_cast<double>(sums.clustered)),
      share(both, static_cast<double>(sums.labeled)),
      precision,
      recall,
      share(2 * precision * recall, precision + recall),
      sums.bytes == 0 ? 0 : static_cast<double>(sums.lost_bytes) / static_cast<double>(sums.bytes),
      sums.documents == 0 ? 1 : adjusted_rand(sums)};
}

/// Sums by label, in the order of the labels, so that shares are always added in one order.
std::map<std::uint32_t, LabelSums> sums_by_label(std::span<const std::uint32_t> clusters,
                                                 std::span<const std::uint32_t> labels) {
  std::unordered_map<std::uint32_t, std::uint64_t> cluster_sizes;
  std::unordered_map<std::uint32_t, std::uint64_t> label_sizes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> cells;
  for (std::size_t d = 0; d < clusters.size(); ++d) {
    ++cluster_sizes[clusters[d]];
    ++label_sizes[labels[d]];
    ++cells[{labels[d], clusters[d]}];
  }
  std::map<std::uint32_t, LabelSums> sums;
  for (const auto& [cell, documents] : cells) {
    const std::uint64_t of_label = label_sizes.at(cell.first);
    const std::uint64_t of_cluster = cluster_sizes.at(cell.second);
    const double square = static_cast<double>(documents) * static_cast<double>(documents);
    sums[cell.first].add({documents, documents * (documents - 1), documents * (of_cluster - 1),
                          documents * (of_label - 1), square / static_cast<double>(of_cluster),
                          square / static_cast<double>(of_label), 0, 0});
  }
  return sums;
}

/// Adds the texts of each label, and the lost ones.
void measure_loss(std::span<const std::uint32_t> clusters, std::span<const std::uint32_t> labels,
                  std::span<const std::uint64_t> bytes, std::map<std::uint32_t, LabelSums>& sums,
                  LabelMeasures& out) {
  std::unordered_set<std::uint32_t> seen;
  std::unordered_set<std::uint32_t> kept_labels;
  std::vector<std::size_t> removed;
  for (std::size_t d = 0; d < clusters.size(); ++d) {
    sums[labels[d]].bytes += bytes[d];
    out.bytes += bytes[d];
    if (seen.insert(clusters[d]).second) {
      kept_labels.insert(labels[d]);
    } else {
      removed.push_back(d);
    }
  }
  out.clusters = seen.size();
  for (const std::size_t d : removed) {
    ++out.removed_documents;
    out.removed_bytes += bytes[d];
    if (kept_labels.contains(labels[d])) continue;
    ++out.lost_documents;
    out.lost_bytes += bytes[d];
    sums[labels[d]].lost_bytes += bytes[d];
  }
}

}  // namespace

Result<LabelMeasures> measure_labels(std::span<const std::uint32_t> clusters,
                                     std::span<const std::uint32_t> labels,
                                     std::span<const std::uint64_t> bytes, std::uint64_t seed,
                                     const KeepGoing& keep_going) {
  assert(clusters.size() == labels.size() && clusters.size() == bytes.size());
  LabelMeasures out;
  out.documents = clusters.size();
  std::map<std::uint32_t, LabelSums> by_label = sums_by_label(clusters, labels);
  measure_loss(clusters, labels, bytes, by_label, out);
  out.labels = by_label.size();
  std::vector<LabelSums> groups;
  LabelSums all;
  for (const auto& [label, sums] : by_label) {
    groups.push_back(sums);
    all.add(sums);
  }
  TWINSET_ASSIGN(auto intervals, bootstrap<numbers>(std::span<const LabelSums>(groups), seed,
                                                    keep_going, numbers_of));
  // The Rand index is not a share.
  for (std::size_t i = 0; i < rand_index; ++i) {
    intervals[i] = at_least_wilson(intervals[i], groups.size());
  }
  const auto share = [&](std::uint64_t twice, Number number) {
    return Share{all.both / 2, twice / 2, intervals[number].low, intervals[number].high};
  };
  out.pair_precision = share(all.clustered, pair_precision);
  out.pair_recall = share(all.labeled, pair_recall);
  out.bcubed_precision = intervals[bcubed_precision];
  out.bcubed_recall = intervals[bcubed_recall];
  out.bcubed_f1 = intervals[bcubed_f1];
  out.lost_share = intervals[lost_share];
  out.adjusted_rand = intervals[rand_index];
  return out;
}

}  // namespace twinset
