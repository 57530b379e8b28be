// A run in parts: the job is made, pass 1 done, the table filled, so that a test can look at the
// state between two passes.
//
//   JobFixture fixture(collection, [](DedupOptions& options) { options.keep = "longest"; });
//   fixture.read();
//   fixture.match();
//   fixture.table().standing(0);
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "collection/file_collection.h"
#include "dedup/dedup_options.h"
#include "io/inputs.h"
#include "match/match.h"
#include "run/job.h"
#include "run/keep_order.h"
#include "run/prepare.h"
#include "run/read_fates.h"
#include "run/read_pass.h"
#include "run/run_state.h"
#include "run/stores.h"
#include "run/texts.h"
#include "support/job_testing.h"

namespace twinset::testing {

class JobFixture {
 public:
  explicit JobFixture(const MadeCollection& collection,
                      const std::function<void(DedupOptions&)>& change = nullptr)
      : options_(collection.write(folder_)) {
    if (change) change(options_);
    const Status prepared = prepare_job(options_, dedup_verb(options_), quiet_control(), job_);
    EXPECT_TRUE(prepared.ok()) << prepared.error().message;
    auto list = expand_inputs(unsynced(), {options_.inputs, options_.against, "", ""});
    EXPECT_TRUE(list.ok());
    job_.collection = std::make_shared<FileCollection>(unsynced(), std::move(list).value());
    job_.reference_sources = protected_sources(*job_.collection);
    job_.work = folder_ / "work";
    job_.spill = folder_ / "spill/";
    job_.context.tmp = folder_ / "spill";
    std::filesystem::create_directories(job_.work + "/out");
    std::filesystem::create_directories(job_.spill);
  }

  /// Pass 1, from where `state()` stands.
  void read(const SaveCheckpoint& save = [](const ReadState&) -> Status { return {}; }) {
    if (stores_.records == nullptr) {
      make_stores();
      ASSERT_TRUE(stores_.open(nullptr).ok());
    }
    const Status done = read_collection(job_, stores_.all(), save, state_);
    ASSERT_TRUE(done.ok()) << done.error().message;
    make_table();
  }

  void make_stores() { stores_ = twinset::make_stores(job_, DocumentKeys::Stored::count); }

  void make_table() {
    table_ = std::make_unique<DocumentTable>(state_.lines, job_.reference_sources);
    RecordCounts unused;
    ASSERT_TRUE(set_read_fates(*stores_.records, *table_, unused).ok());
    keep_values_ = keep_values(job_, *stores_.records, *table_).value();
    ASSERT_TRUE(
        set_keep_order(job_, *stores_.records, keep_values_.compared_as, *table_, 1 << 20).ok());
    texts_ = std::make_unique<Texts>(job_, *stores_.records, *table_);
  }

  /// The match; its proofs are kept.
  MatchReport match() {
    proofs_ = std::make_unique<RowFile<Proof>>(
        RowsOptions{&job_.context, job_.spill + "proofs", 0, job_.signer.fingerprint});
    StageClock clock;
    Result<MatchReport> report =
        match_documents(job_, options_, stores_, *table_, *texts_, *proofs_, clock);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? report.value() : MatchReport{};
  }

  Job& job() { return job_; }
  Stores& stores() { return stores_; }
  ReadState& state() { return state_; }
  DocumentTable& table() { return *table_; }
  std::string keep_warning() const { return keep_values_.warning(job_.keep); }
  Texts& texts() { return *texts_; }
  RowFile<Proof>& proofs() { return *proofs_; }
  const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  DedupOptions options_;
  Job job_;
  Stores stores_;
  ReadState state_;
  std::unique_ptr<DocumentTable> table_;
  KeepValues keep_values_;
  std::unique_ptr<Texts> texts_;
  std::unique_ptr<RowFile<Proof>> proofs_;
};

/// A collection of one plain file of these texts.
inline MadeCollection texts_as_collection(const std::vector<std::string>& texts) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (const std::string& text : texts) collection.files[0].records.push_back({"", text, ""});
  return collection;
}

}  // namespace twinset::testing
