// A run in parts: the job is made, pass 1 done, the table filled, so that a test can look at the
// state between two passes.
//
//   JobFixture fixture(collection, [](JobOptions& options) { options.keep = "longest"; });
//   fixture.read();
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
#include "io/inputs.h"
#include "run/job.h"
#include "run/keep_order.h"
#include "run/prepare.h"
#include "run/read_fates.h"
#include "run/read_pass.h"
#include "run/run_state.h"
#include "run/stores.h"
#include "run/texts.h"
#include "support_runs/job_testing.h"

namespace twinset::testing {

/// The options that the shared parts of a run know, with the usual values of a verb that decides
/// about pairs and writes records.
struct JobOptions : CollectionOptions {
  JobOptions() { scheme = "fss"; }

  std::vector<std::string> against;
  std::string output;
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
  std::string keep = "first";
  bool sketches_decide = false;
  bool writes_records = true;

  VerbOptions verb() const {
    VerbOptions verb;
    verb.name = verb.identity = "test";
    verb.references = against;
    verb.output = output;
    verb.thresholds = {resemblance, containment};
    verb.keep = keep;
    verb.sketches_decide = sketches_decide;
    verb.writes_records = writes_records;
    verb.reads_again = true;
    return verb;
  }
};

class JobFixture {
 public:
  explicit JobFixture(const MadeCollection& collection,
                      const std::function<void(JobOptions&)>& change = nullptr)
      : options_(collection.write<JobOptions>(folder_)) {
    if (change) change(options_);
    const Status prepared = prepare_job(options_, options_.verb(), quiet_control(), job_);
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

  Job& job() { return job_; }
  Stores& stores() { return stores_; }
  ReadState& state() { return state_; }
  DocumentTable& table() { return *table_; }
  std::string keep_warning() const { return keep_values_.warning(job_.keep); }
  Texts& texts() { return *texts_; }
  const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  JobOptions options_;
  Job job_;
  Stores stores_;
  ReadState state_;
  std::unique_ptr<DocumentTable> table_;
  KeepValues keep_values_;
  std::unique_ptr<Texts> texts_;
};

/// A collection of one plain file of these texts.
inline MadeCollection texts_as_collection(const std::vector<std::string>& texts) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (const std::string& text : texts) collection.files[0].records.push_back({"", text, ""});
  return collection;
}

}  // namespace twinset::testing
