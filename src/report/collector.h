// Collects the facts of a report during a run, in memory that does not grow with the
// collection: the histograms, the few clusters worth showing, and a sample of
// pairs.
//
//   ReportCollector collector(0.8);
//   collector.removed(kind, resemblance, survivor, document);   // each removed record
//   collector.cluster(cluster);                                 // each cluster
//   for (const PairChoice& choice : collector.pairs()) ...      // read their texts
//   collector.finish(report);
//
// The result depends on what was added, never on the order it was added in.
//
// Threads: belongs to one thread; merge() joins those of several.
#pragma once

#include <cstdint>
#include <vector>

#include "base/document.h"
#include "report/report.h"

namespace twinset {

/// A removed record chosen for the side-by-side view.
struct PairChoice {
  DocumentId survivor;
  DocumentId removed;
  Fate kind = Fate::near;
  double resemblance = 0;
  std::uint64_t rank = 0;  ///< sampling order: a hash of the two
};

/// How many are kept of each.
struct ReportLimits {
  std::size_t largest = 12;
  std::size_t least_alike = 12;
  std::size_t widest = 6;
  std::size_t lowest_pairs = 4;     ///< those of lowest resemblance
  std::size_t pairs_a_stratum = 2;  ///< sampled: from each fifth of [threshold, 1), and contained
  std::size_t examples = 8;         ///< members listed of a cluster
};

class ReportCollector {
 public:
  explicit ReportCollector(double threshold, const ReportLimits& limits = {});

  /// A removed record; identical and lexical ones are not sampled as pairs. A
  /// pair told several times (copies may stand behind one document) is counted
  /// each time and sampled once.
  void removed(Fate kind, double resemblance, DocumentId survivor, DocumentId document);

  /// A whole cluster. `examples` may hold any members, of which the least alike
  /// are kept. Copied only if it is among the best so far.
  void cluster(const ReportCluster& cluster);

  /// True if such a cluster would be kept. If not, cluster() still wants its
  /// numbers, but the caller is spared looking up its ids and examples.
  bool wanted(std::uint64_t members, std::uint64_t sources, double lowest_resemblance) const;

  void merge(const ReportCollector& other);

  /// The pairs chosen, most doubtful first.
  std::vector<PairChoice> pairs() const;

  /// Fills clusters, histograms and lists of clusters; the rest is the caller's.
  void finish(Report& report) const;

 private:
  static constexpr std::size_t strata = 6;  ///< five of resemblance, one contained

  void keep_cluster(const ReportCluster& cluster);
  std::size_t stratum_of(Fate kind, double resemblance) const;
  void keep_pair(const PairChoice& choice);

  double threshold_;
  ReportLimits limits_;
  std::uint64_t clusters_ = 0;
  SizeHistogram cluster_sizes_;
  ResemblanceHistogram near_;
  ResemblanceHistogram contained_;
  std::vector<ReportCluster> largest_;  ///< each best first
  std::vector<ReportCluster> least_alike_;
  std::vector<ReportCluster> widest_;
  std::vector<PairChoice> lowest_;
  std::array<std::vector<PairChoice>, strata> sampled_;
};

}  // namespace twinset
