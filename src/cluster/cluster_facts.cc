// While streaming clusters, keeps the largest ones and those with the most distinct documents. A
// pass over the pairs then counts their edges.
//
// A cluster too large to draw is shown as a random sample of its documents with all edges between
// them, which keeps its shape: the sample of a long cluster is long. If documents have few edges,
// such a sample falls apart. Then the documents nearest to the representative are drawn instead: a
// connected piece, found along its own edges and the first edges of the cluster.
//
// This file's interface is cluster_facts.h; the rest is private.
#include "cluster/cluster_facts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "join/union_find.h"

namespace twinset {
namespace {

using Cluster = ClusterFacts::Cluster;

template <class Sized>
bool larger(const Sized& a, const Sized& b) {
  if (a.documents != b.documents) return a.documents > b.documents;
  return a.representative < b.representative;
}

bool more_different(const Cluster& a, const Cluster& b) {
  if (a.different() != b.different()) return a.different() > b.different();
  return larger(a, b);
}

/// A sample is drawn if its largest connected piece has at least three quarters of its nodes.
constexpr std::size_t connected_of = 4, connected_least = 3;

bool less_alike(const SeenPair& x, const SeenPair& y) {
  const double left = x.link.likeness();
  const double right = y.link.likeness();
  return std::tie(left, x.later, x.earlier) < std::tie(right, y.later, y.earlier);
}

/// Nodes of the largest connected piece of a graph.
std::size_t largest_piece(const ClusterFacts::Graph& graph) {
  UnionFind pieces(static_cast<std::uint32_t>(graph.nodes.size()));
  for (const SharedPair& edge : graph.edges) pieces.unite(edge.a, edge.b);
  std::vector<std::size_t> sizes(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) ++sizes[pieces.find(i)];
  return *std::max_element(sizes.begin(), sizes.end());
}

/// Adds edges to the graphs that have both their ends. The graphs have no node in common.
class EdgeTaker {
 public:
  explicit EdgeTaker(std::vector<ClusterFacts::Graph>& graphs) {
    for (ClusterFacts::Graph& graph : graphs) {
      for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) node_of_[graph.nodes[i]] = {&graph, i};
    }
  }
  void take(SharedPair pair) {
    const auto a = node_of_.find(pair.a);
    if (a == node_of_.end()) return;
    const auto b = node_of_.find(pair.b);
    if (b == node_of_.end() || b->second.graph != a->second.graph) return;
    pair.a = a->second.number;
    pair.b = b->second.number;
    a->second.graph->edges.push_back(pair);
  }

 private:
  struct Node {
    ClusterFacts::Graph* graph;
    std::uint32_t number;
  };
  std::unordered_map<std::uint32_t, Node> node_of_;
};

}  // namespace

/// Holds edges of a cluster to be drawn.
class ClusterFacts::Drawing {
 public:
  Drawing(const ClusterFactLimits& limits, std::uint32_t representative)
      : limits_(limits), representative_(representative) {}

  void add(const SharedPair& edge) {
    const bool of_representative =
        (edge.b == representative_ || edge.a == representative_) && own_edges_ < limits_.nodes;
    own_edges_ += of_representative ? 1 : 0;
    if (of_representative || held_.size() < limits_.held_edges) {
      held_.emplace_back(edge.a, edge.b);
    }
  }

  /// The representative, then its neighbors, then theirs, and so on; lower numbers first.
  std::vector<std::uint32_t> nearest() {
    const std::size_t edges = held_.size();
    for (std::size_t i = 0; i < edges; ++i) held_.emplace_back(held_[i].second, held_[i].first);
    std::sort(held_.begin(), held_.end());
    std::vector<std::uint32_t> nodes{representative_};
    std::set<std::uint32_t> met{representative_};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      auto link = std::lower_bound(held_.begin(), held_.end(), std::pair(nodes[i], 0U));
      for (; link != held_.end() && link->first == nodes[i]; ++link) {
        if (nodes.size() == limits_.nodes) return nodes;
        if (met.insert(link->second).second) nodes.push_back(link->second);
      }
    }
    return nodes;
  }

 private:
  const ClusterFactLimits& limits_;
  std::uint32_t representative_;
  std::size_t own_edges_ = 0;                                  ///< held edges of the representative
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held_;  ///< both ends of each edge
};

Status ClusterFacts::choose(const ClusterLinks& links, const DocumentTable& documents) {
  std::vector<Cluster> largest;
  std::vector<Cluster> most_different;
  Cluster open;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> lot;  // members with the lowest hashes
  const auto close = [&] {
    if (open.documents == 0) return;
    open.sample.assign(1, open.original);
    for (const auto& [rank, member] : lot) open.sample.push_back(member);
    std::sort(open.sample.begin() + 1, open.sample.end());
    insert_bounded(largest, open, limits_.largest, larger<Cluster>);
    insert_bounded(sizes, {open.representative, open.documents}, limits_.sizes, larger<Size>);
    if (open.different() < 2) return;
    insert_bounded(most_different, open, limits_.most_different, more_different);
  };
  TWINSET_TRY(links.for_each([&](const ClusterLink& link) -> Status {
    if (open.documents == 0 || link.representative != open.representative) {
      close();
      open = {};
      lot.clear();
      open.representative = static_cast<std::uint32_t>(link.representative);
      const Standing standing = documents.standing(link.representative);
      open.original =
          standing.folded() ? static_cast<std::uint32_t>(standing.other) : open.representative;
      open.documents = 1;
    }
    ++open.documents;
    // The document that a copy in the lead belongs to is a copy of the lead.
    const Fate fate =
        documents.standing(link.member == open.original ? link.representative : link.member).fate;
    open.identical += fate == Fate::identical ? 1 : 0;
    open.lexical += fate == Fate::lexical ? 1 : 0;
    open.shingles += fate == Fate::shingles ? 1 : 0;
    // A lexical copy is more telling than an identical one.
    if (is_copy(fate) && (!is_copy(open.weakest.fate) || open.weakest.fate < fate)) {
      open.weakest = {link.representative, link.member, fate, Link::copy(), false};
    }
    if (!is_copy(fate)) {
      const auto member = static_cast<std::uint32_t>(link.member);
      insert_bounded(lot, std::pair(mix64(std::uint64_t{member} + 1), member), limits_.nodes - 1,
                     std::less<>());
    }
    return {};
  }));
  close();
  for (Cluster& cluster : largest) cluster.among_largest = true;
  for (Cluster& cluster : most_different) {
    cluster.drawn = true;
    const auto twice = std::find_if(largest.begin(), largest.end(), [&](const Cluster& other) {
      return other.representative == cluster.representative;
    });
    if (twice == largest.end()) continue;
    cluster.among_largest = true;
    largest.erase(twice);
  }
  clusters = std::move(largest);
  clusters.insert(clusters.end(), most_different.begin(), most_different.end());
  std::sort(clusters.begin(), clusters.end(), larger<Cluster>);
  return {};
}

Status ClusterFacts::count_edges(Clustering& clustering, const DocumentTable& documents,
                                 const SharedPairStore& pairs, const PairFloor& threshold,
                                 LinkKind kind) {
  std::map<std::uint32_t, std::size_t> place_of;
  std::vector<Drawing> drawings;
  for (const Cluster& cluster : clusters) {
    place_of.emplace(cluster.representative, drawings.size());
    drawings.emplace_back(limits_, cluster.original);
  }
  const bool has_shares = tells_resemblance(kind);
  std::vector<double> sums(clusters.size());
  TWINSET_TRY(for_each_row(pairs, [&](const SharedPair& pair) {
    const double resemblance = pair.keys.resemblance();
    if (!threshold.reached_by(pair.keys)) {
      if (has_shares) other_resemblance.add(resemblance);
      return;
    }
    const bool alike = !threshold.containment.has_value() ||
                       threshold.resemblance.reached_by(pair.keys.shared, pair.keys.all());
    const bool apart = documents.document(pair.a).source() != documents.document(pair.b).source();
    const SeenPair seen{pair.b, pair.a, alike ? Fate::near : Fate::contained,
                        Link::read(kind, pair.keys), apart};
    if (has_shares) {
      edge_resemblance.add(resemblance);
      pairs_to_show.add(seen);
    }
    const std::uint32_t representative = clustering.representative(pair.a);
    const auto place = place_of.find(representative);
    // A pair may connect two stars.
    if (place == place_of.end() || clustering.representative(pair.b) != representative) return;
    Cluster& cluster = clusters[place->second];
    if (cluster.edges == 0 || less_alike(seen, cluster.weakest)) cluster.weakest = seen;
    ++cluster.edges;
    cluster.contained += alike ? 0 : 1;
    cluster.lowest = std::min(cluster.lowest, resemblance);
    sums[place->second] += resemblance;
    if (cluster.drawn) drawings[place->second].add(pair);
  }));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    Cluster& cluster = clusters[i];
    if (cluster.edges == 0 || !has_shares) continue;
    cluster.mean = sums[i] / static_cast<double>(cluster.edges);
    if (!cluster.drawn) continue;
    graphs.push_back({i, cluster.sample, {}, {}, false});
    nearest_.push_back({i, drawings[i].nearest(), {}, {}, true});
  }
  return {};
}

/// Adds all edges between the nodes of each graph.
Status ClusterFacts::draw_edges(const SharedPairStore& pairs, const PairFloor& threshold) {
  if (graphs.empty()) return {};
  EdgeTaker samples(graphs);
  EdgeTaker nearest(nearest_);
  return for_each_row(pairs, [&](const SharedPair& pair) {
    if (!threshold.reached_by(pair.keys)) return;
    samples.take(pair);
    nearest.take(pair);
  });
}

/// Keeps for each cluster the sample if most of it is connected, else the nearest documents.
void ClusterFacts::keep_connected() {
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::size_t nodes = graphs[i].nodes.size();
    const bool all = nodes == clusters[graphs[i].cluster].different();
    if (all || largest_piece(graphs[i]) * connected_of >= nodes * connected_least) continue;
    std::swap(graphs[i], nearest_[i]);
  }
  nearest_.clear();
}

/// Counts the documents that each node represents.
void ClusterFacts::count_copies(const DocumentTable& documents) {
  std::unordered_map<std::uint64_t, std::uint64_t*> counts;
  for (Graph& graph : graphs) {
    graph.copies.resize(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      counts[graph.nodes[i]] = &graph.copies[i];
    }
  }
  if (counts.empty()) return;
  for (std::uint64_t index = 0; index < documents.size(); ++index) {
    const Standing standing = documents.standing(index);
    if (!standing.folded()) continue;
    const auto node = counts.find(standing.other);
    if (node != counts.end()) ++*node->second;
  }
}

Status ClusterFacts::gather(const ClusterLinks& links, Clustering& clustering,
                            const DocumentTable& documents, const SharedPairStore& pairs,
                            const PairFloor& threshold, LinkKind kind) {
  TWINSET_TRY(choose(links, documents));
  TWINSET_TRY(count_edges(clustering, documents, pairs, threshold, kind));
  TWINSET_TRY(draw_edges(pairs, threshold));
  keep_connected();
  count_copies(documents);
  return {};
}

}  // namespace twinset
