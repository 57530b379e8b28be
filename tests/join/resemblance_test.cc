// Exact resemblance against the oracle, which compares tuples of tokens, found a code point
// at a time, and against the sets by which runs verify their pairs.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "evaluate/edits.h"
#include "io/json_read.h"
#include "scheme/document_view.h"
#include "scheme/shingle_set.h"
#include "support/real_data.h"
#include "support_runs/exact_shingles.h"
#include "support_runs/job_testing.h"
#include "text/shingler.h"
#include "text/words_reference.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

using testing::get_file;
using testing::lines_of;

ExactShingles oracle_set(std::string_view text, unsigned width) {
  Analysis analysis;
  words_reference(text, Offsets::drop, analysis);
  return ExactShingles(analysis.tokens, width);
}

/// Verifies a pair as a run does: probes `b` for the shingles of `a`.
ShingleCounts as_verified(std::string_view a, std::string_view b, unsigned width) {
  Analysis analysis;
  std::vector<std::uint64_t> shingles;
  find_analyzer("words")->analyze(b, Offsets::drop, analysis);
  shingle(analysis.tokens, width, shingles);
  ShingleSet set;
  set.take(shingles);
  ShingleProber prober;
  find_analyzer("words")->analyze(a, Offsets::drop, analysis);
  shingle(analysis.tokens, width, prober.shingles());
  prober.ready();
  const std::uint32_t shared = prober.count(set);
  return {*prober.size(), set.size(), shared};
}

void expect_exact(std::string_view a, std::string_view b, unsigned width) {
  const Shingling shingling{.shingle_tokens = width};
  const Result<ShingleCounts> found = count_shingles(a, b, shingling);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const ShingleCounts& counts = found.value();
  const ExactShingles set_a = oracle_set(a, width);
  const ExactShingles set_b = oracle_set(b, width);
  ASSERT_EQ(counts.shingles_a, set_a.size());
  ASSERT_EQ(counts.shingles_b, set_b.size());
  ASSERT_EQ(counts.shared_shingles, intersection_size(set_a, set_b));
  const ShingleCounts verified = as_verified(a, b, width);
  ASSERT_EQ(counts.shingles_a, verified.shingles_a);
  ASSERT_EQ(counts.shingles_b, verified.shingles_b);
  ASSERT_EQ(counts.shared_shingles, verified.shared_shingles);
  if (counts.all_shingles() == 0) return;
  EXPECT_EQ(resemblance(a, b, shingling).value().value, exact_resemblance(set_a, set_b).value());
  EXPECT_EQ(resemblance(b, a, shingling).value().value, exact_resemblance(set_a, set_b).value());
  if (set_a.size() == 0) return;
  EXPECT_EQ(containment(a, b, shingling).value().value, exact_containment(set_a, set_b).value());
}

/// Words from a small vocabulary, so that shingles repeat, and bytes that are not UTF-8.
std::string random_text(std::mt19937_64& random) {
  const std::size_t words = random() % (random() % 4 == 0 ? 1200 : 40);
  const std::uint64_t universe = 1 + random() % 300;
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (random() % 7 == 0 ? "W" : "w") + std::to_string(random() % universe);
    text += random() % 60 == 0 ? "\xff \xc3" : random() % 9 == 0 ? ", " : " ";
  }
  return text;
}

// B-03: two texts are as alike as their sets of shingles say.
TEST(Resemblance, IsThatOfTheOracleAndOfVerification) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1500; ++round) {
    const auto width = static_cast<unsigned>(1 + random() % (round % 5 == 0 ? 64 : 6));
    const std::string a = random_text(random);
    const std::string b = random_text(random);
    const auto& edit = edits()[random() % edits().size()];
    const std::string edited = edit.apply(a, random());
    ASSERT_NO_FATAL_FAILURE(expect_exact(a, b, width));
    ASSERT_NO_FATAL_FAILURE(expect_exact(a, edited, width)) << edit.name;
  }
}

TEST(Resemblance, IsThatOfTheOracleOnRealTexts) {
  for (const char* file :
       {"scancode-licences/licences.jsonl.zst", "clough-stevenson/answers.jsonl.zst",
        "wiki-articles/articles.jsonl.zst"}) {
    const std::string path = testing::real_data(file);
    if (path.empty()) GTEST_SKIP() << file << " is not below TWINSET_DATA";
    std::vector<std::string> texts;
    for (const std::string& line : lines_of(get_file(path))) {
      const Result<JsonNode> record = read_json(line, file);
      ASSERT_TRUE(record.ok());
      texts.push_back(record.value()["text"].text());
      if (texts.size() == 500) break;
    }
    ASSERT_GT(texts.size(), 20U);
    for (std::size_t i = 1; i < texts.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_exact(texts[i - 1], texts[i], 5)) << file << " " << i;
      ASSERT_NO_FATAL_FAILURE(expect_exact(texts[i * 37 % texts.size()], texts[i], 3)) << i;
    }
  }
}

TEST(Resemblance, TellsSharesAndTheirCounts) {
  // Three shingles and four; two are in both.
  const char* const a = "one two three four five six seven";
  const char* const b = "One TWO, three four five six: eight nine!";
  const ExactShare both = resemblance(a, b).value();
  EXPECT_EQ(both.shared, 2U);
  EXPECT_EQ(both.total, 5U);
  EXPECT_EQ(both.value, 0.4);
  EXPECT_EQ(containment(a, b).value().total, 3U);
  EXPECT_EQ(containment(b, a).value().value, 0.5);
  EXPECT_EQ(resemblance(a, b, {.shingle_tokens = 1}).value().shared, 6U);
}

TEST(Resemblance, OfTextsWithoutTokensIsThatOfTheirBytes) {
  for (const char* text : {"", "... !", "\xff\xfe"}) {
    EXPECT_EQ(resemblance(text, text).value().value, 1) << text;
    EXPECT_EQ(containment(text, text).value().value, 1) << text;
    EXPECT_EQ(resemblance(text, text).value().total, 0U) << text;
    EXPECT_TRUE(resemblance(text, text).value().known()) << text;
    EXPECT_FALSE(resemblance(text, "...").value().known()) << text;
    EXPECT_EQ(resemblance(text, "a word").value().value, 0) << text;
    EXPECT_TRUE(resemblance(text, "a word").value().known()) << text;
    EXPECT_FALSE(containment(text, "a word").value().known()) << text;
    EXPECT_EQ(containment("a word", text).value().value, 0) << text;
    EXPECT_TRUE(containment("a word", text).value().known()) << text;
  }
}

TEST(Resemblance, OfPagesIsOfTheirText) {
  const char* const page = "<p>A <b>rose</b> is a rose</p><script>not text at all here</script>";
  EXPECT_EQ(resemblance(page, "<div>a rose is a rose", {.html = true}).value().value, 1);
  EXPECT_LT(resemblance(page, "<div>a rose is a rose").value().value, 1);
}

TEST(Resemblance, OfFeaturesIsOfTheirSets) {
  const ExactShare found =
      resemblance("[1, 2, 3, \"x\"]", "[3, 2, 2, 7]", {.analyzer = "features"}).value();
  EXPECT_EQ(found.shared, 2U);
  EXPECT_EQ(found.total, 5U);
}

TEST(Resemblance, OfLongTextsIsExactToo) {
  std::string a;
  std::string b;
  for (std::uint64_t i = 0; i < many_shingles; ++i) {
    a += std::to_string(i % (many_shingles / 2)) + ' ';
    b += std::to_string(i % (many_shingles / 4)) + ' ';
  }
  const ShingleCounts found = count_shingles(a, b, {.shingle_tokens = 1}).value();
  EXPECT_EQ(found.shingles_a, many_shingles / 2);
  EXPECT_EQ(found.shared_shingles, many_shingles / 4);
  EXPECT_EQ(found.resemblance(), 0.5);
  EXPECT_EQ(found.containment_b_in_a(), 1);
}

TEST(Resemblance, IsAskedForByManyThreads) {
  std::mt19937_64 random(5);
  std::vector<std::string> texts(40);
  for (std::string& text : texts) text = random_text(random);
  std::vector<double> expected;
  const auto all = [&] {
    std::vector<double> values;
    for (const std::string& a : texts) {
      for (const std::string& b : texts) values.push_back(resemblance(a, b).value().value);
    }
    return values;
  };
  expected = all();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { EXPECT_EQ(all(), expected); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Resemblance, RefusesWhatItCannotCompare) {
  const auto message = [](const Shingling& shingling) {
    const Result<ExactShare> found = resemblance("a", "b", shingling);
    EXPECT_FALSE(found.ok());
    EXPECT_EQ(found.error().code, ErrorCode::usage);
    return found.ok() ? "" : found.error().message;
  };
  EXPECT_EQ(message({.analyzer = "word"}).substr(0, 30), "no analyzer 'word'; there is: ");
  EXPECT_EQ(message({.shingle_tokens = 0}), "a shingle of 0 tokens; it has from 1 to 64");
  EXPECT_EQ(message({.shingle_tokens = 65}), "a shingle of 65 tokens; it has from 1 to 64");
  EXPECT_NE(message({.analyzer = "features", .html = true}).find("no markup"), std::string::npos);
  // Nothing is read of a text that is too long.
  const std::string_view long_text("", std::size_t{5} << 30);
  for (const auto& refused : {resemblance(long_text, "b"), containment("a", long_text)}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("4294967232 are the most"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
