// The parts of discovery over made-up texts, one after the other, so that a test can look between
// two of them.
//
//   DiscoverFixture fixture({{"one", "two"}, {"one"}});   // texts by file; a file is a site
//   fixture.read();
//   fixture.seen().chunks();
//
// Threads: one at a time.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "discover/seen_objects.h"
#include "run/read_pass.h"
#include "support_runs/job_fixture.h"

namespace twinset::testing {

class DiscoverFixture {
 public:
  /// Paragraphs of a text are its chunks, however short.
  explicit DiscoverFixture(const std::vector<std::vector<std::string>>& files)
      : fixture_(collection_of(files),
                 [](JobOptions& options) { set_small_memory(options, 2, 1 << 26); }) {
    rule_.chunks.cuts = ChunkCuts::paragraphs;
    rule_.chunks.least_characters = 1;
  }

  void read() {
    seen_ = std::make_unique<SeenObjects>(fixture_.job(), rule_, 1 << 22);
    pass(*seen_);
    ASSERT_TRUE(seen_->seal(1 << 16).ok());
    documents_ = std::make_unique<DocumentTable>(state_.lines, fixture_.job().reference_sources);
  }

  /// One more reading for this collector.
  void pass(Collector& collector) {
    ASSERT_TRUE(collector.open(nullptr).ok());
    Collector* const collectors[] = {&collector};
    state_ = {};
    const Status done = read_collection(fixture_.job(), collectors, nullptr, state_);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  Job& job() { return fixture_.job(); }
  PageRule& rule() { return rule_; }
  SeenObjects& seen() { return *seen_; }
  DocumentTable& documents() { return *documents_; }

 private:
  static MadeCollection collection_of(const std::vector<std::vector<std::string>>& files) {
    MadeCollection collection;
    for (std::size_t i = 0; i < files.size(); ++i) {
      collection.files.push_back({"site" + std::to_string(i) + ".jsonl", {}, false});
      for (const std::string& text : files[i]) {
        collection.files.back().records.push_back({"", text, ""});
      }
    }
    return collection;
  }

  JobFixture fixture_;
  PageRule rule_;
  ReadState state_;
  std::unique_ptr<SeenObjects> seen_;
  std::unique_ptr<DocumentTable> documents_;
};

}  // namespace twinset::testing
