#include "lexicon/term_counter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>

#include "run/collection_run.h"
#include "run/read_pass.h"
#include "support_runs/match_fixture.h"
#include "system/memory_files.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

using namespace twinset::testing;

using Counts = std::map<std::string, std::uint64_t>;

/// Counted a document at a time.
Counts counted(const MadeCollection& collection) {
  Counts counts;
  VisibleText seen;
  const Analyzer& words = *find_analyzer("words");
  for (const MadeFile& file : collection.files) {
    for (const MadeRecord& record : file.records) {
      see(words, record.text, Markup::none, seen);
      std::set<std::string> terms;
      for (const TokenOffsets offsets : seen.analysis.offsets) {
        std::string term;
        words.append_token(seen.text, offsets, term);
        terms.insert(term);
      }
      for (const std::string& term : terms) ++counts[term];
    }
  }
  return counts;
}

Counts counts_of(TermCounter& terms) {
  EXPECT_TRUE(terms.seal().ok());
  Counts counts;
  const Status done = terms.for_each([&](std::string_view term, std::uint64_t df) -> Status {
    counts[std::string(term)] = df;
    return {};
  });
  EXPECT_TRUE(done.ok()) << done.error().message;
  return counts;
}

RowsOptions options_on(const Job& job) {
  return {.context = &job.context, .path = job.spill + "terms"};
}

TEST(TermCounter, StandsBesideTheCollectorsOfDedup) {
  const MadeCollection collection =
      planted_collection({.seed = 71, .documents = 300, .files = 4, .compressed = true});
  std::uint64_t rows = 0;
  for (const bool beside : {false, true}) {
    MatchFixture fixture(collection,
                         [](JobOptions& options) { set_small_memory(options, 3, 1 << 26); });
    fixture.make_stores();
    TermCounter terms(options_on(fixture.job()));
    std::vector<Collector*> collectors = fixture.stores().all();
    if (beside) collectors.push_back(&terms);
    for (Collector* collector : collectors) ASSERT_TRUE(collector->open(nullptr).ok());
    ASSERT_TRUE(read_collection(fixture.job(), collectors, nullptr, fixture.state()).ok());
    fixture.make_table();
    fixture.match();
    if (beside) {
      EXPECT_EQ(fixture.proofs().rows(), rows);
      EXPECT_EQ(terms.documents(), 300U);
      EXPECT_EQ(counts_of(terms), counted(collection));
    }
    rows = fixture.proofs().rows();
    EXPECT_GT(rows, 20U);
  }
}

/// Stops the run after so many batches.
class Stopper final : public CollectorOf<TermRows> {
 public:
  Stopper(std::atomic<bool>& cancel, int after) : cancel_(cancel), left_(after) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord&, TermRows&) const override { return {}; }
  Status put(TermRows&) override {
    if (--left_ == 0) cancel_ = true;
    return {};
  }
  std::atomic<bool>& cancel_;
  int left_;
};

TEST(TermCounter, AnInterruptedRunCountsEachBatchOnce) {
  const ScratchFolder folder;
  const MadeCollection collection = planted_collection({.seed = 72, .documents = 200, .files = 5});
  DedupOptions options = collection.write(folder);
  options.resources.checkpoint = 1;
  const auto run_pass = [&](const std::string& output, int stop_after, Counts& counts) -> Status {
    std::atomic<bool> cancel = false;
    RunControl control = quiet_control();
    control.cancel = &cancel;
    VerbOptions verb;
    verb.name = verb.identity = "terms";
    verb.output = output;
    CollectionRun run(options, verb, control);
    TWINSET_TRY(run.prepare());
    TWINSET_TRY(run.open());
    TermCounter terms(options_on(run.job));
    Stopper stopper(cancel, stop_after);
    TWINSET_TRY(run.pass("count", {&terms, &stopper}));
    EXPECT_EQ(terms.documents(), 200U);
    counts = counts_of(terms);
    return run.abandon();
  };
  const Counts whole = counted(collection);
  for (int after = 1; after < 10; after += 2) {
    const std::string output = folder / ("cut" + std::to_string(after));
    Counts counts;
    const Status cut = run_pass(output, after, counts);
    ASSERT_FALSE(cut.ok()) << after;
    ASSERT_EQ(cut.error().code, ErrorCode::interrupted);
    const Status again = run_pass(output, 0, counts);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(counts, whole) << after;
  }
}

// A term is found by its hash, whatever the analyzer.
TEST(TermCounter, TheHashOfATermIsTheToken) {
  const std::string prose =
      "\xc3\x89tude \xe2\x91\xa0 \xef\xbc\xa6ox \xc2\xbd kg\xc2\xb2 \xe3\x8e\x8f "
      "C++ and C# at -3.14 x+=1; \xe6\xbc\xa2\xe5\xad\x97 \xe0\xb8\x81\xe0\xb8\x82\xe0\xb8\x84 "
      "e\xcc\x81tude \xef\xb7\xba soft\xc2\xadhyphen snake_case ==== \xe2\x84\xa2";
  const std::string features = R"([17, -0, "C#m7", "a\u0061", 7, "7", "\"", 12345678901234567890])";
  const std::string page = "<p><B>x</b><my-own a=b><br/><br><h1><h2><TABLE>";
  for (const Analyzer* analyzer : analyzers()) {
    VisibleText seen;
    see(*analyzer,
        analyzer->takes_features() ? features
        : analyzer->reads_markup() ? page
                                   : prose,
        Markup::none, seen);
    EXPECT_GT(seen.analysis.tokens.size(), 7U);
    std::map<std::uint64_t, std::string> terms;
    for (std::size_t i = 0; i < seen.analysis.tokens.size(); ++i) {
      std::string term = "before";
      append_term(*analyzer, seen.text, seen.analysis.offsets[i], seen.analysis.tokens[i], term);
      ASSERT_TRUE(term.starts_with("before"));
      term.erase(0, 6);
      EXPECT_EQ(token_hash(term), seen.analysis.tokens[i]) << analyzer->name() << ": " << term;
    }
  }
}

TEST(TermCounter, ATokenOfManyBytesIsNoTerm) {
  VisibleText seen;
  const Analyzer& words = *find_analyzer("words");
  see(words, "rose " + std::string(1024, 'x') + " " + std::string(1025, 'y'), Markup::none, seen);
  TermRows rows;
  rows.begin({});
  rows.take(seen, words);
  rows.take(seen, words);
  EXPECT_EQ(rows.documents(), 2U);
  EXPECT_EQ(rows.long_terms(), 2U);
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  StringCounts counts({.context = &context, .path = "x"});
  ASSERT_TRUE(rows.add_to(counts).ok());
  ASSERT_TRUE(counts.seal().ok());
  Counts found;
  ASSERT_TRUE(counts
                  .for_each([&](std::string_view term, std::uint64_t df) -> Status {
                    found[std::string(term)] = df;
                    return {};
                  })
                  .ok());
  EXPECT_EQ(found, (Counts{{"rose", 2}, {std::string(1024, 'x'), 2}}));
}

}  // namespace
}  // namespace twinset
