#include "twinset/lexicon.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

LexiconOptions options_for(const ScratchFolder& folder, const std::vector<std::string>& inputs,
                           const std::string& output) {
  LexiconOptions options;
  options.inputs = inputs;
  options.output = folder / output;
  options.input.max_record = 1 << 20;
  return options;
}

TEST(LexiconJob, OtherThreadsAndMemoryGiveTheSameBytes) {
  const ScratchFolder folder;
  const MadeCollection collection =
      planted_collection({.seed = 5, .documents = 2000, .files = 3, .compressed = true});
  const std::vector<std::string> inputs = collection.write(folder).inputs;
  std::string bytes;
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint64_t memory : {std::uint64_t{320} << 20, std::uint64_t{2} << 30}) {
      const std::string name = std::to_string(threads) + "-" + std::to_string(memory) + ".df";
      LexiconOptions options = options_for(folder, inputs, name);
      options.resources.threads = threads;
      options.resources.memory = memory;
      const Result<LexiconSummary> done = count_terms(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_EQ(done.value().table.documents, 2000U);
      EXPECT_GT(done.value().table.terms, 100U);
      if (bytes.empty()) bytes = folder.read(name);
      EXPECT_EQ(folder.read(name), bytes) << name;
    }
  }
  for (const auto& left : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(left.path().string().find("partial"), std::string::npos) << left.path();
    EXPECT_EQ(left.path().string().find("dry-run"), std::string::npos) << left.path();
  }
}

TEST(LexiconJob, ALexiconOfInputsIsThatOfTheirDfFile) {
  const ScratchFolder folder;
  const std::vector<std::string> inputs =
      planted_collection({.seed = 6, .documents = 500, .files = 2}).write(folder).inputs;
  ASSERT_TRUE(count_terms(options_for(folder, inputs, "x.df"), quiet_control()).ok());
  const Result<LexiconSummary> two =
      build_lexicon(options_for(folder, {folder / "x.df"}, "two.lexicon"), quiet_control());
  ASSERT_TRUE(two.ok()) << two.error().message;
  const Result<LexiconSummary> one =
      build_lexicon(options_for(folder, inputs, "one.lexicon"), quiet_control());
  ASSERT_TRUE(one.ok()) << one.error().message;
  EXPECT_EQ(one.value().table.made_from, two.value().table.made_from);
  std::map<std::string, std::uint64_t> terms[2];
  for (const int i : {0, 1}) {
    const Result<TermTable> read = read_terms(folder / (i == 0 ? "one.lexicon" : "two.lexicon"),
                                              RunControl{}, [&](const CountedTerm& term) -> Status {
                                                EXPECT_EQ(term.part, TermPart::primary);
                                                terms[i][std::string(term.text)] = term.documents;
                                                return {};
                                              });
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read.value().primary->terms, terms[i].size());
  }
  EXPECT_GT(terms[0].size(), 10U);
  EXPECT_EQ(terms[0], terms[1]);
  EXPECT_FALSE(std::filesystem::exists(folder / "one.lexicon.df.partial"));
}

TEST(LexiconJob, RareTermsAreLeftOutOfADfFileThatSaysSo) {
  const ScratchFolder folder;
  const std::vector<std::string> inputs =
      planted_collection({.seed = 7, .documents = 300, .files = 1}).write(folder).inputs;
  const auto terms_of = [&](const std::string& path) {
    std::map<std::string, std::uint64_t> terms;
    EXPECT_TRUE(read_terms(path, RunControl{}, [&](const CountedTerm& term) -> Status {
                  terms[std::string(term.text)] = term.documents;
                  return {};
                }).ok());
    return terms;
  };
  ASSERT_TRUE(count_terms(options_for(folder, inputs, "all.df"), quiet_control()).ok());
  LexiconOptions options = options_for(folder, inputs, "some.df");
  options.min_df = 4;
  const Result<LexiconSummary> some = count_terms(options, quiet_control());
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_EQ(some.value().table.min_df, 4U);
  std::map<std::string, std::uint64_t> expected = terms_of(folder / "all.df");
  const std::size_t all = expected.size();
  std::erase_if(expected, [](const auto& term) { return term.second < 4; });
  ASSERT_LT(expected.size(), all);
  ASSERT_GT(expected.size(), 5U);
  EXPECT_EQ(terms_of(folder / "some.df"), expected);
  // A lexicon of it takes no rarer ones, and refuses to promise them.
  LexiconOptions build = options_for(folder, {folder / "some.df"}, "x.lexicon");
  build.nidf = {.least = Ratio(0, 1), .most = Ratio(1, 1)};
  const Result<LexiconSummary> built = build_lexicon(build, quiet_control());
  ASSERT_TRUE(built.ok()) << built.error().message;
  EXPECT_EQ(built.value().table.min_df, 4U);
  EXPECT_EQ(built.value().table.terms, expected.size());
  build.output = folder / "y.lexicon";
  build.min_df = 3;
  const Result<LexiconSummary> refused = build_lexicon(build, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error()
                .text(Door::command_line)
                .find("was counted without terms of fewer than 4 documents; --min-df 4 or more"),
            std::string::npos);
}

TEST(LexiconJob, RefusalsLeaveNothing) {
  const ScratchFolder folder;
  const std::string input = folder.write("a.jsonl", "{\"text\": \"a rose\"}\n{\"text\": \"b\"}\n");
  const auto refused = [&](LexiconOptions options, bool build = false) {
    const Result<LexiconSummary> done =
        build ? build_lexicon(options, quiet_control()) : count_terms(options, quiet_control());
    EXPECT_FALSE(done.ok());
    return done.ok() ? std::string() : done.error().text(Door::command_line);
  };
  LexiconOptions options = options_for(folder, {input}, "x.df");
  options.secondary_terms = 3;
  EXPECT_NE(refused(options).find("--secondary-terms is for lexicon build"), std::string::npos);
  for (const bool build : {false, true}) {
    options = options_for(folder, {input}, "x.df");
    options.min_df = 0;
    EXPECT_NE(refused(options, build).find("--min-df is 1 or more"), std::string::npos);
  }
  options = options_for(folder, {input}, "a.jsonl");
  EXPECT_NE(refused(options).find("exists; twinset overwrites nothing"), std::string::npos);
  EXPECT_NE(refused(options_for(folder, {}, "x.df")).find("no input given"), std::string::npos);
  options = options_for(folder, {folder.write("empty.jsonl", "")}, "x.df");
  EXPECT_NE(refused(options).find("no document to count"), std::string::npos);
  options = options_for(folder, {input}, "x.lexicon");
  options.secondary_terms = 3;
  EXPECT_NE(refused(options, true).find("needs a window"), std::string::npos);
  options = options_for(folder, {input}, "x.lexicon");
  options.min_df = 3;
  EXPECT_NE(refused(options, true).find("no term of"), std::string::npos);
  ASSERT_TRUE(count_terms(options_for(folder, {input}, "y.df"), quiet_control()).ok());
  options = options_for(folder, {input, folder / "y.df"}, "x.lexicon");
  EXPECT_NE(refused(options, true).find("one df file or inputs"), std::string::npos);
  std::filesystem::remove(folder / "y.df");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder.path())) {
    ++files;
  }
  EXPECT_EQ(files, 2U);
}

}  // namespace
}  // namespace twinset
