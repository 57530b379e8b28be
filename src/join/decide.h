// Edges to decisions: a document goes if and only if it has a verified edge to a
// kept document ahead of it in keep order. Star clusters, never chains.
//
//   sweep    one pass in keep order over the edges, verifying lazily: each
//            document against its earliest candidates that are kept, up to the
//            first that reaches a threshold. That one is its survivor.
//   repair   a kept document with an edge to a removed one is paired with that
//            one's survivor. Sweep and repair alternate until nothing is new:
//            without it drifting versions leave copies behind.
//
// The result is a pure function of the pairs, the keep order and the verdicts:
// never of threads or of how edges were spread over files.
//
// Threads: one call at a time; sweep uses the context's threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/context.h"
#include "join/candidates.h"
#include "join/documents.h"
#include "join/edges.h"
#include "rows/rows.h"
#include "twinset/result.h"

namespace twinset {

/// Judges one edge: sets its state (never unverified) and counts. One per worker.
class EdgeJudge {
 public:
  virtual ~EdgeJudge() = default;
  /// A new later document: the edges judged next are its.
  virtual void start(DocumentId later) = 0;
  virtual Status judge(Edge& edge) = 0;
  /// The fate an edge that reached a threshold gives its later document.
  virtual Fate fate(const Edge& edge) const = 0;
};

struct SweepReport {
  std::uint64_t documents = 0;  ///< that are later in some edge
  std::uint64_t judged = 0;     ///< edges judged now
  std::uint64_t removed = 0;
};

/// Judges `edges` (sorted by later, then earlier place) as needed, sets the
/// standing of every later document, and appends each edge with what is now
/// known of it to `out` in the same order. Edges already judged are not again.
/// `repairs` is given the pairs that repair asks for.
Result<SweepReport> sweep(const RunContext& context, RowCursor<Edge>& edges,
                          const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
                          DocumentTable& documents, RowFile<Edge>& out, PairStore& repairs);

/// Appends to `out` the pairs that repair asks for on account of these edges, once
/// their documents are decided. Some may be known already.
void append_repairs(std::span<const Edge> edges, const DocumentTable& documents,
                    std::vector<Pair>& out);

/// Edges, and those of some pairs that are not among them, in order.
class MergedEdges final : public RowCursor<Edge> {
 public:
  /// `accept` may refuse a new pair (sketch check); it is asked once for each.
  MergedEdges(RowCursor<Edge>& edges, RowCursor<Pair>& pairs,
              std::function<Result<bool>(const Pair&)> accept)
      : edges_(edges), pairs_(pairs), accept_(std::move(accept)) {}
  /// How many pairs were new, so far.
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
