// The ordered parallel sweep. Workers take documents in keep order, a few at a
// time, and decide them in that order; one waits only for a candidate ahead of it
// that another worker has not decided yet, so there is always one that waits for
// nobody, and the decisions are those of a single worker. What is taken is marked
// undecided in the table, so that nobody asks a lock about the others. Edges leave
// in the order they came through a small window.
//
// This file's interface is sweep, repair_pairs and merge_pairs; the rest is private.
#include "join/decide.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace twinset {
namespace {

/// A worker takes this many documents, or of so many edges, at once.
constexpr std::size_t batch_documents = 16;
constexpr std::size_t batch_edges = 256;
/// Batches that may be finished ahead of the oldest unfinished one.
constexpr std::uint64_t sweep_window = 256;

/// Later documents with all their edges, in keep order.
struct Batch {
  std::uint64_t number = 0;
  std::vector<Edge> edges;
  SweepReport report;  ///< of this batch alone
};

bool reached(const Edge& edge) {
  return edge.state == EdgeState::exact || edge.state == EdgeState::sketch;
}

class Sweep {
 public:
  Sweep(const RunContext& context, RowCursor<Edge>& edges, DocumentTable& documents,
        RowFile<Edge>& out)
      : context_(context), edges_(edges), documents_(documents), out_(out) {}

  Status work(EdgeJudge& judge) {
    Batch batch;
    for (;;) {
      Result<bool> taken = take(batch);
      if (!taken.ok()) return fail(taken.error());
      if (!taken.value()) return {};
      Status decided = decide_all(judge, batch);
      if (!decided.ok()) return fail(decided.error());
      Status put = finish(std::move(batch));
      if (!put.ok()) return fail(put.error());
      batch = {};
    }
  }

  const SweepReport& report() const { return report_; }

 private:
  /// The next documents in keep order; false at the end or after a failure.
  Result<bool> take(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || next_number_ < written_number_ + sweep_window; });
    if (failed_) return false;
    TWINSET_TRY(context_.check_cancelled());
    if (!started_) {
      started_ = true;
      TWINSET_TRY(pull());
    }
    if (!pending_) return false;
    batch.number = next_number_++;
    while (pending_ && batch.report.documents < batch_documents &&
           batch.edges.size() < batch_edges) {
      const Place later = next_edge_.pair.later;
      documents_.set_shared(documents_.index(later.document), {Fate::undecided, 0});
      ++batch.report.documents;
      while (pending_ && next_edge_.pair.later == later) {
        batch.edges.push_back(next_edge_);
        TWINSET_TRY(pull());
      }
    }
    return true;
  }

  Status pull() {
    Result<const Edge*> next = edges_.next();
    TWINSET_TRY(next);
    pending_ = next.value() != nullptr;
    if (pending_) next_edge_ = *next.value();
    return {};
  }

  Status decide_all(EdgeJudge& judge, Batch& batch) {
    for (std::size_t begin = 0; begin < batch.edges.size();) {
      std::size_t end = begin;
      while (end < batch.edges.size() &&
             batch.edges[end].pair.later == batch.edges[begin].pair.later) {
        ++end;
      }
      TWINSET_TRY(decide(judge, std::span(batch.edges).subspan(begin, end - begin), batch.report));
      begin = end;
    }
    return {};
  }

  /// First kept candidate that reaches a threshold, judging as few as possible.
  Status decide(EdgeJudge& judge, std::span<Edge> edges, SweepReport& report) {
    const DocumentId later = edges.front().pair.later.document;
    judge.start(later);
    Standing standing;
    for (Edge& edge : edges) {
      if (edge.state == EdgeState::below) continue;
      const std::uint64_t other = documents_.index(edge.pair.earlier.document);
      Result<bool> removed = is_removed(other);
      TWINSET_TRY(removed);
      if (removed.value()) continue;
      if (edge.state == EdgeState::unverified) {
        TWINSET_TRY(judge.judge(edge));
        ++report.judged;
      }
      if (reached(edge)) {
        standing = {judge.fate(edge), other};
        break;
      }
    }
    report.removed += standing.judged_out() ? 1 : 0;
    documents_.set_shared(documents_.index(later), standing);
    if (waiting_ != 0) {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    }
    return {};
  }

  /// Waits while another worker has the document.
  Result<bool> is_removed(std::uint64_t index) {
    Standing standing = documents_.shared_standing(index);
    if (standing.fate == Fate::undecided) {
      // Whoever decides it looks for waiters after it has done so.
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.wait(lock, [&] {
        standing = documents_.shared_standing(index);
        return failed_ || standing.fate != Fate::undecided;
      });
      --waiting_;
      if (failed_) return Error{ErrorCode::interrupted, "another worker failed"};
    }
    return standing.judged_out();
  }

  Status finish(Batch batch) {
    const std::lock_guard lock(mutex_);
    report_.documents += batch.report.documents;
    report_.judged += batch.report.judged;
    report_.removed += batch.report.removed;
    finished_.emplace(batch.number, std::move(batch.edges));
    while (!finished_.empty() && finished_.begin()->first == written_number_) {
      TWINSET_TRY(out_.append(finished_.begin()->second));
      finished_.erase(finished_.begin());
      ++written_number_;
    }
    changed_.notify_all();
    return {};
  }

  /// Lets the other workers go; the first failure is the run's.
  Status fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!failed_) first_error_ = error;
    failed_ = true;
    changed_.notify_all();
    return first_error_;
  }

  const RunContext& context_;
  RowCursor<Edge>& edges_;
  DocumentTable& documents_;
  RowFile<Edge>& out_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<unsigned> waiting_ = 0;  ///< workers that wait for a decision
  bool started_ = false;
  bool pending_ = false;
  bool failed_ = false;
  Error first_error_;
  Edge next_edge_;
  std::uint64_t next_number_ = 0;
  std::uint64_t written_number_ = 0;
  std::map<std::uint64_t, std::vector<Edge>> finished_;
  SweepReport report_;
};

}  // namespace

Result<SweepReport> sweep(const RunContext& context, RowCursor<Edge>& edges,
                          const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
                          DocumentTable& documents, RowFile<Edge>& out) {
  Sweep run(context, edges, documents, out);
  TWINSET_TRY(run_workers(context.threads, [&](unsigned) -> Status {
    const std::unique_ptr<EdgeJudge> judge = make_judge();
    return run.work(*judge);
  }));
  return run.report();
}

Status repair_pairs(RowCursor<Edge>& edges, const DocumentTable& documents, PairStore& out) {
  for (;;) {
    Result<const Edge*> next = edges.next();
    TWINSET_TRY(next);
    if (next.value() == nullptr) return {};
    const Edge& edge = *next.value();
    if (edge.state == EdgeState::below) continue;
    const Standing later = documents.standing(documents.index(edge.pair.later.document));
    const Standing earlier = documents.standing(documents.index(edge.pair.earlier.document));
    if (later.judged_out() == earlier.judged_out()) continue;
    const Place kept = later.judged_out() ? edge.pair.earlier : edge.pair.later;
    const Place survivor = documents.place_at(later.judged_out() ? later.other : earlier.other);
    if (kept == survivor) continue;
    const Pair pair = kept < survivor ? Pair{survivor, kept} : Pair{kept, survivor};
    if (documents.reference(pair.later.document)) continue;
    TWINSET_TRY(out.append(std::span(&pair, 1)));
  }
}

Result<std::uint64_t> merge_pairs(RowCursor<Edge>& edges, RowCursor<Pair>& pairs,
                                  const std::function<Result<bool>(const Pair&)>& accept,
                                  RowFile<Edge>& out) {
  std::uint64_t added = 0;
  Result<const Edge*> edge = edges.next();
  TWINSET_TRY(edge);
  Result<const Pair*> pair = pairs.next();
  TWINSET_TRY(pair);
  while (edge.value() != nullptr || pair.value() != nullptr) {
    const bool take_edge =
        pair.value() == nullptr || (edge.value() != nullptr && edge.value()->pair <= *pair.value());
    if (take_edge) {
      const bool known = pair.value() != nullptr && edge.value()->pair == *pair.value();
      TWINSET_TRY(out.append(*edge.value()));
      edge = edges.next();
      TWINSET_TRY(edge);
      if (!known) continue;
    } else {
      Result<bool> accepted = accept(*pair.value());
      TWINSET_TRY(accepted);
      if (accepted.value()) {
        TWINSET_TRY(out.append(Edge{.pair = *pair.value()}));
        ++added;
      }
    }
    pair = pairs.next();
    TWINSET_TRY(pair);
  }
  return added;
}

}  // namespace twinset
