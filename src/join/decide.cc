// The ordered parallel sweep. Workers take documents in keep order, a few at a time. A document
// whose candidate is undecided is laid aside until it is decided, and its worker goes on with
// others. The oldest open document never waits, so there is no deadlock, and the decisions are
// those of a single worker. Open documents are marked undecided in the table, so the fate of any
// other is read without a lock. Edges are written in the order they came, through a small window.
//
// This file's interface is decide.h; the rest is private.
#include "join/decide.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "system/threads.h"

namespace twinset {
namespace {

/// A worker takes documents until they are so many, or have so many edges.
constexpr std::size_t batch_documents = 16;
constexpr std::size_t batch_edges = 256;
/// Batches that may be open at once.
constexpr std::size_t sweep_window = 256;
/// Edges merged at once.
constexpr std::size_t merged_batch = 1024;

/// Later documents with all their edges, in keep order.
struct Batch {
  std::vector<Edge> edges;
  std::atomic<std::size_t> undecided = 0;  ///< documents
};

/// A later document's edges; the next one to look at is edges[at].
struct OpenDocument {
  Batch* batch = nullptr;
  std::span<Edge> edges;
  std::size_t at = 0;
};

class Sweep {
 public:
  Sweep(const RunContext& context, RowCursor<Edge>& edges, DocumentTable& documents,
        RowFile<Edge>& out, PairStore& repairs)
      : context_(context), edges_(edges), documents_(documents), out_(out), repairs_(repairs) {}

  Status work(EdgeJudge& judge) {
    Leaving leaving{*this};
    SweepReport report;
    std::vector<OpenDocument> taken;
    do {
      TWINSET_TRY(take(taken, report));
      for (const OpenDocument& document : taken) TWINSET_TRY(decide(judge, document, report));
    } while (!taken.empty());
    leaving.failed = false;
    const std::lock_guard lock(mutex_);
    report_.documents += report.documents;
    report_.judged += report.judged;
    report_.removed += report.removed;
    return {};
  }

  const SweepReport& report() const { return report_; }

 private:
  /// Stops the other workers if one fails, or if something it calls throws.
  struct Leaving {
    Sweep& sweep;
    bool failed = true;
    ~Leaving() {
      if (failed) sweep.stop();
    }
  };

  /// The next documents to decide: one that waited, else the next in keep order. Empty at the end
  /// or after a failure.
  Status take(std::vector<OpenDocument>& taken, SweepReport& report) {
    taken.clear();
    std::unique_lock lock(mutex_);
    while (taken.empty()) {
      changed_.wait(lock, [&] {
        return failed_ || !ready_.empty() || may_read() || (ended_ && batches_.empty());
      });
      if (failed_) return {};
      TWINSET_TRY(context_.check_cancelled());
      if (!ready_.empty()) {
        taken.push_back(ready_.front());
        ready_.pop_front();
      } else if (may_read()) {
        TWINSET_TRY(read_batch(taken, report));
      } else {
        return {};
      }
    }
    return {};
  }

  bool may_read() const { return !ended_ && batches_.size() < sweep_window; }

  /// The next documents in keep order, marked undecided.
  Status read_batch(std::vector<OpenDocument>& taken, SweepReport& report) {
    if (!started_) TWINSET_TRY(pull());
    started_ = true;
    ended_ = !pending_;
    if (ended_) {
      changed_.notify_all();
      return {};
    }
    batches_.push_back(std::make_unique<Batch>());
    Batch& batch = *batches_.back();
    std::vector<std::size_t> ends;
    while (pending_ && ends.size() < batch_documents && batch.edges.size() < batch_edges) {
      const Place later = next_edge_.pair.later;
      documents_.set_shared(documents_.index(later.document), {Fate::undecided, 0});
      while (pending_ && next_edge_.pair.later == later) {
        batch.edges.push_back(next_edge_);
        TWINSET_TRY(pull());
      }
      ends.push_back(batch.edges.size());
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      taken.push_back({&batch, std::span(batch.edges).subspan(begin, end - begin)});
      begin = end;
    }
    batch.undecided = taken.size();
    report.documents += taken.size();
    return {};
  }

  Status pull() {
    TWINSET_ASSIGN(const Edge* next, edges_.next());
    pending_ = next != nullptr;
    if (pending_) next_edge_ = *next;
    return {};
  }

  /// Finds the first kept candidate that reaches a threshold; judges as few edges as possible.
  Status decide(EdgeJudge& judge, OpenDocument document, SweepReport& report) {
    const DocumentId later = document.edges.front().pair.later.document;
    judge.start(later);
    const auto fate_of = [&](DocumentId earlier) {
      return documents_.shared_standing(documents_.index(earlier)).fate;
    };
    Standing standing;
    for (;;) {
      const Decision next = twinset::decide(document.edges.subspan(document.at), fate_of);
      document.at += next.edge;
      if (next.step == Decision::Step::keep) break;
      Edge& edge = document.edges[document.at];
      const std::uint64_t other = documents_.index(edge.pair.earlier.document);
      if (next.step == Decision::Step::remove) {
        standing = {judge.fate(edge), other};
        break;
      }
      if (next.step == Decision::Step::judge) {
        TWINSET_TRY(judge.judge(edge));
        ++report.judged;
      } else if (lay_aside(document, other)) {
        return {};
      }
    }
    report.removed += standing.judged_out() ? 1 : 0;
    const std::uint64_t index = documents_.index(later);
    documents_.set_shared(index, standing);
    if (waiting_ != 0) wake(index);
    return --document.batch->undecided == 0 ? write_decided() : Status();
  }

  /// Lets the document wait until `other` is decided; false if it is by now.
  bool lay_aside(const OpenDocument& document, std::uint64_t other) {
    const std::lock_guard lock(mutex_);
    // The worker that decides `other` sets its fate first and reads waiting_ second: either this
    // thread sees the fate, or that worker sees the waiter.
    ++waiting_;
    if (documents_.shared_standing(other).fate != Fate::undecided) {
      --waiting_;
      return false;
    }
    waiters_[other].push_back(document);
    return true;
  }

  void wake(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    const auto at = waiters_.find(index);
    if (at == waiters_.end()) return;
    ready_.insert(ready_.end(), at->second.begin(), at->second.end());
    waiting_ -= at->second.size();
    waiters_.erase(at);
    changed_.notify_all();
  }

  /// Writes the oldest batches whose documents are all decided, and their pairs for repair: all
  /// documents before theirs are decided too.
  Status write_decided() {
    std::vector<std::unique_ptr<Batch>> written;
    {
      const std::lock_guard lock(mutex_);
      while (!batches_.empty() && batches_.front()->undecided == 0) {
        TWINSET_TRY(out_.append(batches_.front()->edges));
        written.push_back(std::move(batches_.front()));
        batches_.pop_front();
      }
      changed_.notify_all();
    }
    std::vector<Pair> asked;
    for (const std::unique_ptr<Batch>& batch : written) {
      append_repairs(batch->edges, documents_, asked);
    }
    return repairs_.append(asked);
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

  const RunContext& context_;
  RowCursor<Edge>& edges_;
  DocumentTable& documents_;
  RowFile<Edge>& out_;
  PairStore& repairs_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::size_t> waiting_ = 0;  ///< documents in waiters_
  bool started_ = false;
  bool pending_ = false;  ///< next_edge_ is valid
  bool ended_ = false;
  bool failed_ = false;
  Edge next_edge_;
  std::deque<std::unique_ptr<Batch>> batches_;  ///< not yet written, oldest first
  /// Documents laid aside, by the index of the candidate they wait for.
  std::unordered_map<std::uint64_t, std::vector<OpenDocument>> waiters_;
  std::deque<OpenDocument> ready_;  ///< waited, and their candidate is decided
  SweepReport report_;
};

}  // namespace

Result<SweepReport> sweep(const RunContext& context, RowCursor<Edge>& edges,
                          const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
                          DocumentTable& documents, RowFile<Edge>& out, PairStore& repairs) {
  Sweep run(context, edges, documents, out, repairs);
  TWINSET_TRY(run_workers(context.threads, [&](unsigned) -> Status {
    const std::unique_ptr<EdgeJudge> judge = make_judge();
    return run.work(*judge);
  }));
  return run.report();
}

std::optional<Pair> repair_pair(const Edge& edge, const std::optional<Place>& survivor_of_later,
                                const std::optional<Place>& survivor_of_earlier) {
  const auto asked = repair(edge.pair.later, edge.pair.earlier, edge.link.state, survivor_of_later,
                            survivor_of_earlier);
  return asked.has_value() ? std::optional(Pair{asked->first, asked->second}) : std::nullopt;
}

void append_repairs(std::span<const Edge> edges, const DocumentTable& documents,
                    std::vector<Pair>& out) {
  const auto survivor_of = [&](DocumentId document) -> std::optional<Place> {
    const Standing standing = documents.shared_standing(documents.index(document));
    if (!standing.judged_out()) return std::nullopt;
    return documents.place_at(standing.other);
  };
  for (const Edge& edge : edges) {
    const std::optional<Pair> pair = repair_pair(edge, survivor_of(edge.pair.later.document),
                                                 survivor_of(edge.pair.earlier.document));
    if (pair.has_value() && !documents.reference(pair->later.document)) out.push_back(*pair);
  }
}

Result<bool> MergedEdges::refill() {
  rows_.clear();
  while (rows_.size() < merged_batch) {
    const Edge* const edge = edges_.peek();
    if (edge == nullptr) TWINSET_TRY(edges_.status());
    const Pair* const pair = pairs_.peek();
    if (pair == nullptr) TWINSET_TRY(pairs_.status());
    if (edge == nullptr && pair == nullptr) break;
    TWINSET_TRY(merge_next(edge, pair));
  }
  show(rows_.data(), rows_.data() + rows_.size());
  return !rows_.empty();
}

/// Takes the smaller of the two, or both if they are the same pair. Null: no more of its kind.
Status MergedEdges::merge_next(const Edge* edge, const Pair* pair) {
  if (edge != nullptr && (pair == nullptr || edge->pair <= *pair)) {
    rows_.push_back(*edge);
    if (pair != nullptr && edge->pair == *pair) pairs_.advance();
    edges_.advance();
    return {};
  }
  const Pair asked = *pair;
  pairs_.advance();
  TWINSET_ASSIGN(const bool accepted, accept_(asked));
  if (accepted) {
    rows_.push_back(Edge{.pair = asked});
    ++added_;
  }
  return {};
}

}  // namespace twinset
