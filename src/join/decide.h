// Edges to decisions: a document is removed if and only if it has a verified edge to a kept
// document before it in keep order. Star clusters, never chains.
//
//   sweep    one pass over the edges in keep order, which verifies lazily: it compares a
//            document with its earliest kept candidates, up to the first that reaches a
//            threshold. That one is the document's survivor.
//   repair   pairs a kept document that has an edge to a removed one with the survivor of
//            the removed one. Sweep and repair alternate until nothing is new. Without
//            repair, versions that drift would leave copies.
//
// The result is a pure function of the pairs, the keep order and the links. It does not
// depend on threads or on the files that hold the edges. Its two rules, decide() for one document
// and repair_pair() for one edge, read no table and no file.
//
// Threads: decide() and repair_pair() are pure functions; call the rest one at a time, sweep()
// uses the context's threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "join/candidates.h"
#include "join/documents.h"
#include "join/edges.h"
#include "rows/rows.h"
#include "system/context.h"
#include "twinset/group.h"
#include "twinset/result.h"

namespace twinset {

/// Judges one edge: sets its state (never unverified) and counts. One per worker.
class EdgeJudge {
 public:
  virtual ~EdgeJudge() = default;
  /// Begins a later document: the next edges are its edges.
  virtual void start(DocumentId later) = 0;
  virtual Status judge(Edge& edge) = 0;
  /// The fate of the later document of an edge that reached a threshold.
  virtual Fate fate(const Edge& edge) const = 0;
};

/// decide() of twinset/group.h. `fate_of(DocumentId)` returns a Fate.
template <class FateOf>
Decision decide(std::span<const Edge> edges, const FateOf& fate_of) {
  const auto state_of = [](const Edge& edge) { return edge.link.state; };
  return decide(edges, state_of, [&](const Edge& edge) {
    const Fate fate = fate_of(edge.pair.earlier.document);
    return fate == Fate::undecided ? EarlierFate::undecided
           : is_judged_out(fate)   ? EarlierFate::removed
                                   : EarlierFate::stays;
  });
}

/// repair() of twinset/group.h.
std::optional<Pair> repair_pair(const Edge& edge, const std::optional<Place>& survivor_of_later,
                                const std::optional<Place>& survivor_of_earlier);

struct SweepReport {
  std::uint64_t documents = 0;  ///< documents that are the later one of an edge
  std::uint64_t judged = 0;     ///< edges judged in this sweep
  std::uint64_t removed = 0;
};

/// Judges `edges` (sorted by later, then earlier place) as needed, sets the standing of every
/// later document, and appends each edge with its link to `out` in the same order. Edges
/// that were judged before are not judged again. `repairs` receives the pairs for repair.
Result<SweepReport> sweep(const RunContext& context, RowCursor<Edge>& edges,
                          const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
                          DocumentTable& documents, RowFile<Edge>& out, PairStore& repairs);

/// Appends the pairs that repair derives from these edges to `out`. Their documents must be
/// decided. Some of the pairs may be known already.
void append_repairs(std::span<const Edge> edges, const DocumentTable& documents,
                    std::vector<Pair>& out);

/// Edges merged with new pairs, in order.
class MergedEdges final : public RowCursor<Edge> {
 public:
  /// `accept` may refuse a new pair (sketch check); it is called once for each.
  MergedEdges(RowCursor<Edge>& edges, RowCursor<Pair>& pairs,
              std::function<Result<bool>(const Pair&)> accept)
      : edges_(edges), pairs_(pairs), accept_(std::move(accept)) {}
  /// The new pairs accepted so far.
  std::uint64_t added() const { return added_; }

 private:
  Result<bool> refill() override;
  Status merge_next(const Edge* edge, const Pair* pair);

  RowCursor<Edge>& edges_;
  RowCursor<Pair>& pairs_;
  std::function<Result<bool>(const Pair&)> accept_;
  std::vector<Edge> rows_;
  std::uint64_t added_ = 0;
};

}  // namespace twinset
