// The facts for a report of clusters: the largest clusters and their resemblance, graphs of the
// clusters with the most distinct documents, and notable pairs.
//
//   ClusterFacts facts(0.5);
//   TWINSET_TRY(facts.gather(links, clustering, documents, pairs, threshold, LinkKind::shingles));
//   facts.clusters[0].documents;
//
// Takes one pass over the links and two over the pairs. Memory does not grow with the
// collection, and the facts depend on links and pairs only.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/clustering.h"
#include "join/documents.h"
#include "join/shared_keys.h"
#include "run/pair_collector.h"
#include "twinset/result.h"

namespace twinset {

/// The most that is kept of each kind.
struct ClusterFactLimits {
  std::size_t largest = 24;        ///< clusters with the most documents
  std::size_t most_different = 6;  ///< clusters with the most distinct documents: these are drawn
  std::size_t nodes = 60;          ///< drawn documents of a cluster
  std::size_t sizes = 200;         ///< clusters whose size alone is kept
  std::size_t held_edges = 16384;  ///< edges of a cluster held to find its graph
};

class ClusterFacts {
 public:
  struct Cluster {
    std::uint32_t representative = 0;
    std::uint32_t original = 0;  ///< of the representative, if it is a copy; else itself
    std::uint64_t documents = 0;
    std::uint64_t identical = 0;  ///< copies
    std::uint64_t lexical = 0;
    std::uint64_t shingles = 0;
    bool among_largest = false;
    bool drawn = false;
    std::uint64_t edges = 0;
    std::uint64_t contained = 0;  ///< edges by containment alone
    double lowest = 1;            ///< the lowest resemblance of an edge, if the pairs tell any
    double mean = 1;
    SeenPair weakest;                   ///< the least alike edge; without edges, a copy
    std::vector<std::uint32_t> sample;  ///< random distinct documents, the representative first

    std::uint64_t different() const { return documents - identical - lexical - shingles; }
  };

  struct Size {
    std::uint32_t representative = 0;
    std::uint64_t documents = 0;
  };

  struct Graph {
    std::size_t cluster = 0;            ///< index into clusters
    std::vector<std::uint32_t> nodes;   ///< documents; the representative first
    std::vector<std::uint64_t> copies;  ///< by node: the documents that it represents
    std::vector<SharedPair> edges;      ///< a and b are indexes into nodes
    bool nearest = false;  ///< the nodes are the documents nearest to the representative
  };

  explicit ClusterFacts(double resemblance, const ClusterFactLimits& limits = {})
      : pairs_to_show(resemblance), limits_(limits) {}

  /// `pairs`: all kept pairs, sealed. `kind`: the meaning of their numbers. If that is no
  /// resemblance, there are clusters alone: no graphs, no pairs to show.
  Status gather(const ClusterLinks& links, Clustering& clustering, const DocumentTable& documents,
                const SharedPairStore& pairs, const PairFloor& threshold, LinkKind kind);

  std::vector<Cluster> clusters;      ///< most documents first
  std::vector<Size> sizes;            ///< of the largest clusters, in the same order
  std::vector<Graph> graphs;          ///< in the order of the clusters; each has an edge
  ResemblanceBins edge_resemblance;   ///< of pairs that reach the threshold
  ResemblanceBins other_resemblance;  ///< of pairs below it
  PairCollector pairs_to_show;        ///< some of the pairs that reach the threshold

 private:
  class Drawing;

  Status choose(const ClusterLinks& links, const DocumentTable& documents);
  Status count_edges(Clustering& clustering, const DocumentTable& documents,
                     const SharedPairStore& pairs, const PairFloor& threshold, LinkKind kind);
  Status draw_edges(const SharedPairStore& pairs, const PairFloor& threshold);
  void keep_connected();
  void count_copies(const DocumentTable& documents);

  ClusterFactLimits limits_;
  std::vector<Graph> nearest_;  ///< for each graph, the one to draw if it is not connected
};

}  // namespace twinset
