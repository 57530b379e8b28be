// Counts of copies that may not be meant to go, in whole runs.
#include "dedup/same_words.h"

#include "support_runs/job_testing.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::string lines_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += MadeRecord{"", text, ""}.line();
  return all;
}

CopiesOfWords copies_in(const ScratchFolder& folder, DedupOptions options) {
  options.output = folder / "out";
  const Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? done.value().copies_of_words : CopiesOfWords{};
}

const std::vector<std::string> texts{
    "one must learn C++ before one is old and gray",
    "One must learn C before one\tis old  and GRAY",  // other signs
    "one must learn C++ before one is old and GRAY",  // case alone
    "one must learn C before one++ is old and gray",  // the same signs at another place
    "one must learn C++ before one is old and gray",  // identical
    "a vote for yes",                                 // kept, four words
    "a vote for yes",
    "a vote for YES!",
    "a vote for yes, then",  // five
    "a vote for yes, then",
    "--",  // no words: kept
    "--"};

TEST(SameWords, CountsOtherSignsAndFewWords) {
  for (const std::string name : {"in.jsonl", "in.jsonl.gz"}) {
    const ScratchFolder folder;
    DedupOptions options;
    options.inputs = {folder / name};
    put_file(options.inputs[0], lines_of(texts), compression_of(name));
    const CopiesOfWords copies = copies_in(folder, options);
    EXPECT_EQ(copies.other_signs, 3U);
    EXPECT_EQ(copies.few_words, 2U);
  }
}

// The survivor may stand behind its copies; an analyzer that keeps signs leaves nothing to count.
TEST(SameWords, InAnyKeepOrder) {
  const ScratchFolder folder;
  std::string lines;
  for (const std::size_t i : {3U, 1U, 2U, 0U})
    lines += MadeRecord{"", texts[i], std::to_string(i)}.line();
  DedupOptions options;
  options.inputs = {folder.write("in.jsonl", lines)};
  options.keep = "lowest:order";
  EXPECT_EQ(copies_in(folder, options).other_signs, 2U);
  options.analyzer = "code";
  const ScratchFolder other;
  EXPECT_EQ(copies_in(other, options).other_signs, 0U);
}

TEST(SameWords, OfPagesAreThoseThatAReaderSees) {
  const ScratchFolder folder;
  DedupOptions options;
  const std::string end = " is a language that many learn at school</p>";
  options.inputs = {folder.write("in/1.html", "<p>C++" + end),
                    folder.write("in/2.html", "<p id='x++'>C<b>++</b>" + end),
                    folder.write("in/3.html", "<p id='x++'>C" + end)};
  EXPECT_EQ(copies_in(folder, options).other_signs, 1U);
}

TEST(SameWords, CopiesOfReferencesAreLeftOut) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("in.jsonl", lines_of({texts[1], texts[2]}))};
  options.against = {folder.write("known.jsonl", lines_of({texts[0]}))};
  EXPECT_EQ(copies_in(folder, options).other_signs, 0U);
}

}  // namespace
}  // namespace twinset
