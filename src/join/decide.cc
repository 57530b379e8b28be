// The ordered parallel sweep. Workers take documents in keep order; one waits
// only for a candidate ahead of it that another worker has in hand, so there is
// always one that waits for nobody, and the decisions are those of a single
// worker. Edges leave in the order they came through a small window.
//
// This file's interface is sweep, repair_pairs and merge_pairs; the rest is private.
#include "join/decide.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace twinset {
namespace {

/// Documents that may be finished ahead of the oldest unfinished one.
constexpr std::uint64_t sweep_window = 4096;

/// A later document with its edges, in keep order of the earlier ones.
struct Task {
  std::uint64_t number = 0;
  std::vector<Edge> edges;
  const Place& later() const { return edges.front().pair.later; }
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
    Task task;
    for (;;) {
      Result<bool> taken = take(task);
      if (!taken.ok()) return fail(taken.error());
      if (!taken.value()) return {};
      Status decided = decide(judge, task);
      if (!decided.ok()) return fail(decided.error());
      Status put = finish(std::move(task));
      if (!put.ok()) return fail(put.error());
      task = {};
    }
  }

  const SweepReport& report() const { return report_; }

 private:
  /// The next document in keep order; false at the end or after a failure.
  Result<bool> take(Task& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || next_number_ < written_number_ + sweep_window; });
    if (failed_) return false;
    if (next_number_ % 256 == 0) TWINSET_TRY(context_.check_cancelled());
    if (!started_) {
      started_ = true;
      TWINSET_TRY(pull());
    }
    if (!pending_) return false;
    task.number = next_number_++;
    const Place later = next_edge_.pair.later;
    while (pending_ && next_edge_.pair.later == later) {
      task.edges.push_back(next_edge_);
      TWINSET_TRY(pull());
    }
    in_hand_.push_back(later);
    ++report_.documents;
    return true;
  }

  Status pull() {
    Result<const Edge*> next = edges_.next();
    TWINSET_TRY(next);
    pending_ = next.value() != nullptr;
    if (pending_) next_edge_ = *next.value();
    return {};
  }

  /// First kept candidate that reaches a threshold, judging as few as possible.
  Status decide(EdgeJudge& judge, Task& task) {
    judge.start(task.later().document);
    const std::uint64_t index = documents_.index(task.later().document);
    std::uint64_t judged = 0;
    Standing standing;
    for (Edge& edge : task.edges) {
      if (edge.state == EdgeState::below) continue;
      const std::uint64_t other = documents_.index(edge.pair.earlier.document);
      Result<bool> removed = is_removed(edge.pair.earlier, other);
      TWINSET_TRY(removed);
      if (removed.value()) continue;
      if (edge.state == EdgeState::unverified) {
        TWINSET_TRY(judge.judge(edge));
        ++judged;
      }
      if (reached(edge)) {
        standing = {judge.fate(edge), other};
        break;
      }
    }
    documents_.set(index, standing);
    const std::lock_guard lock(mutex_);
    report_.judged += judged;
    report_.removed += standing.judged_out() ? 1 : 0;
    return {};
  }

  /// Waits while the document is in another worker's hand.
  Result<bool> is_removed(const Place& place, std::uint64_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return failed_ || std::find(in_hand_.begin(), in_hand_.end(), place) == in_hand_.end();
    });
    if (failed_) return Error{ErrorCode::interrupted, "another worker failed"};
    return documents_.standing(index).judged_out();
  }

  Status finish(Task task) {
    const std::lock_guard lock(mutex_);
    in_hand_.erase(std::find(in_hand_.begin(), in_hand_.end(), task.later()));
    finished_.emplace(task.number, std::move(task.edges));
    while (!finished_.empty() && finished_.begin()->first == written_number_) {
      for (const Edge& edge : finished_.begin()->second) TWINSET_TRY(out_.append(edge));
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
  bool started_ = false;
  bool pending_ = false;
  bool failed_ = false;
  Error first_error_;
  Edge next_edge_;
  std::uint64_t next_number_ = 0;
  std::uint64_t written_number_ = 0;
  std::vector<Place> in_hand_;
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
