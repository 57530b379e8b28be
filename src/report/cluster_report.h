// The plain values of a report of clusters. A run fills them, and cluster_html.h turns them
// into a page. As in report.h, nothing here grows with the collection.
//
// Strings are raw bytes as read: the writer makes them harmless, callers never escape.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"

namespace twinset {

/// One of the clusters worth a look.
struct ListedCluster {
  ReportDocument representative;
  std::uint64_t documents = 0;
  std::uint64_t identical = 0;  ///< of them, copies of another by their bytes
  std::uint64_t lexical = 0;    ///< ... by their tokens
  std::uint64_t edges = 0;      ///< pairs of its different documents at the threshold
  std::uint64_t contained = 0;  ///< of them, those of containment alone
  double lowest = 1;            ///< resemblance of an edge; 1 if there is none
  double mean = 1;
  bool among_largest = false;  ///< else it is listed for its different documents

  /// Documents that are not a copy of another.
  std::uint64_t different() const { return documents - identical - lexical; }
  /// Pairs its different documents can make.
  std::uint64_t all_pairs() const { return different() * (different() - 1) / 2; }
};

struct GraphNode {
  ReportDocument document;
  std::uint64_t copies = 0;  ///< that it stands for
};

struct GraphEdge {
  std::uint32_t a = 0;  ///< nodes
  std::uint32_t b = 0;
  double resemblance = 0;
};

/// The different documents of a cluster, or some of them, and their edges. Node 0 is
/// the representative.
struct ClusterGraph {
  std::size_t cluster = 0;  ///< index into the list
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  bool nearest = false;  ///< a part of them: the nearest to node 0; else random ones
};

/// Two documents of an edge. `pair.survivor` is the earlier one.
struct ClusterPair {
  std::size_t cluster = 0;  ///< index into the list
  bool weakest = false;     ///< of its cluster; else one in the middle
  ReportPair pair;
  std::uint64_t shared_keys = 0;
  std::uint64_t all_keys = 0;  ///< of either
  std::string unread;          ///< why the texts are not shown; empty: they are
};

struct ListedShingle {
  std::string text;
  std::uint64_t documents = 0;
  std::string sample_id;  ///< the first document that has it
};

struct ReportStage {
  std::string name;
  double seconds = 0;
  double cpu_seconds = 0;
};

struct ClusterReport {
  ReportRun run;
  bool stars = false;
  bool all_pairs_seen = true;  ///< else only candidates were: pairs missing say nothing
  std::string plan;            ///< which of them, in words; empty if not known
  std::uint64_t read = 0;
  std::uint64_t files = 0;
  std::uint64_t documents = 0;  ///< read - filtered - quarantined
  std::uint64_t filtered = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t identical = 0;  ///< copies folded
  std::uint64_t lexical = 0;
  std::uint64_t kept_pairs = 0;
  std::uint64_t edges = 0;
  std::uint64_t clusters = 0;
  std::uint64_t clustered = 0;            ///< documents in them
  std::uint64_t identical_clusters = 0;   ///< of nothing but identical documents
  std::uint64_t identical_clustered = 0;  ///< documents in those
  std::uint64_t largest = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::vector<std::string> warnings;
  std::vector<std::uint64_t> sizes;        ///< [i]: clusters of 2^i to 2^(i+1) - 1 documents
  ResemblanceHistogram edge_resemblance;   ///< of pairs at the threshold
  ResemblanceHistogram other_resemblance;  ///< of kept pairs below it
  std::vector<ListedCluster> list;         ///< by documents, most first
  std::vector<ClusterGraph> graphs;
  std::vector<ClusterPair> pairs;
  std::uint64_t common_keys = 0;
  std::uint64_t max_group = 0;
  std::vector<ListedShingle> common;  ///< most common first
  std::vector<ReportStage> stages;
};

}  // namespace twinset
