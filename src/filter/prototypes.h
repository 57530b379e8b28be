// The prototypes of a filter: an index that is changed while it is asked, and what is counted of
// its documents.
//
//   TWINSET_ASSIGN(const auto prototypes, Prototypes::open(options, control));
//   TWINSET_TRY(prototypes->change(changes));           // all of them durable when it returns
//   PrototypeChecker checker(*prototypes);              // one for each thread
//   TWINSET_ASSIGN(const FilterAnswer answer, checker.check(view));
//
// Threads: any; a checker belongs to one. Changes are made one after the other, and no question
// waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "filter/match_counts.h"
#include "filter/message_check.h"
#include "index/find.h"
#include "index/shared_writer.h"
#include "io/record.h"
#include "run/scratch_folder.h"
#include "scheme/record_view.h"
#include "system/context.h"
#include "twinset/filter.h"
#include "twinset/result.h"

namespace twinset {

/// So many of the prototypes that were matched most are told.
inline constexpr std::uint64_t told_prototypes = 10;

/// A prototype to be added or removed, and what came of it.
struct PrototypeChange {
  bool removes = false;
  std::string id;  ///< a JSON value
  std::string text;
  Markup markup = Markup::none;
  // Set by Prototypes::change():
  bool was_there = false;  ///< of one to be removed
  std::string refused{};   ///< why it is not added; empty: it is
};

class Prototypes {
 public:
  /// Makes the set if there is none, and adds the prototypes of the options. The options and
  /// `control` outlive it.
  static Result<std::unique_ptr<Prototypes>> open(const FilterOptions& options,
                                                  const RunControl& control, const Clocks& clocks);
  /// Writes the counts.
  ~Prototypes();

  const FilterSettings& settings() const { return options_; }
  const std::string& folder() const { return folder_; }
  /// How the prototypes of the options were added.
  const IndexSummary& first() const { return first_; }
  /// Of these, those that are too short.
  std::uint64_t too_short() const { return short_; }
  /// What is not as it was asked for; empty: nothing.
  const std::string& warning() const { return warning_; }
  bool judges_by_sketches() const { return options_.sketches; }
  /// As they are now.
  std::shared_ptr<const IndexSnapshot> snapshot() const;
  MatchCounts& counts() { return *counts_; }

  /// Makes the changes, in their order, durably; and once a minute removes what has expired. What
  /// several threads change at once shares a sync. Error (io): none of them may be there.
  Status change(std::span<PrototypeChange> changes);
  /// Removes what has expired, and tells how many.
  Result<std::uint64_t> expire();
  /// Writes the counts if they have changed.
  Status keep_counts();

  /// Counts an answer, for which that snapshot was asked. Error (io): the set is damaged.
  Status count(const FilterAnswer& answer, const std::shared_ptr<const IndexSnapshot>& asked);
  Result<FilterStats> stats(std::uint64_t top) const;

 private:
  Prototypes(const FilterOptions& options, const RunControl& control);
  Status prepare(const RunControl& control, const Clocks& clocks);
  Status make(FileSystem& files) const;
  Status check_settings(FileSystem& files);
  Status add_first(const RunControl& control);
  Status remove_short(std::uint64_t first_serial);
  Status forget_gone();
  Status make(std::span<IndexBatch> batches);
  IndexBatch batch_of(PrototypeChange& change, const IndexSigner& signer, RecordView& view) const;

  const FilterOptions& options_;
  std::string folder_;
  std::unique_ptr<ScratchFolder> scratch_;  ///< of a set that is forgotten
  RunContext context_;
  std::unique_ptr<MatchCounts> counts_;
  IndexSummary first_;
  std::uint64_t short_ = 0;
  std::string warning_;

  std::unique_ptr<SharedIndexWriter> writer_;
  std::mutex expiring_;
  std::atomic<std::int64_t> expired_at_ = 0;  ///< when the expired ones were looked for last

  std::atomic<std::uint64_t> verdicts_[3] = {};
  std::atomic<std::uint64_t> added_ = 0;
  std::atomic<std::uint64_t> removed_ = 0;
  std::atomic<std::uint64_t> expired_ = 0;
};

/// Do the options bring prototypes, in files or in memory?
bool has_prototypes(const FilterOptions& options);

class PrototypeChecker {
 public:
  explicit PrototypeChecker(Prototypes& prototypes);

  /// The record is decoded and not bad.
  Result<FilterAnswer> check(const Record& record);
  /// The view is of the rule of the set.
  Result<FilterAnswer> check(const RecordView& view);

 private:
  Result<FilterAnswer> ask(const RecordView& view);

  Prototypes& prototypes_;
  QuerySettings query_;
  std::shared_ptr<const IndexSnapshot> snapshot_;
  std::unique_ptr<IndexFinder> finder_;  ///< of the snapshot
  std::unique_ptr<RecordView> view_;     ///< of its rule, which no change replaces
};

}  // namespace twinset
