#include "scheme/term_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/shingle_sets.h"
#include "stats/term_file.h"
#include "support/scratch_folder.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

// S-03, by hand: log2(1,000,000 / 10) = 16.6096, 1,063.02 of 64 each; 2^32 / 10 = 429,496,729.6.
TEST(TermWeights, BothFormsAreAsByHand) {
  EXPECT_EQ(idf_weight(Idf::log, 1000000, 10), 1063U);
  EXPECT_EQ(idf_weight(Idf::log, 1024, 1), 640U);
  EXPECT_EQ(idf_weight(Idf::log, 1024, 512), 64U);
  EXPECT_EQ(idf_weight(Idf::log, 1024, 1023), 0U);
  EXPECT_EQ(idf_weight(Idf::log, 1024, 1024), 0U);
  EXPECT_EQ(idf_weight(Idf::log, 1024, 5000), 0U);
  EXPECT_EQ(idf_weight(Idf::log, 1, 1), 0U);
  EXPECT_EQ(idf_weight(Idf::inverse, 1000000, 10), 429496729U);
  EXPECT_EQ(idf_weight(Idf::inverse, 1000000, 1), std::uint64_t{1} << 32);
  EXPECT_EQ(idf_weight(Idf::inverse, 1000000, 1000000), 4294U);
}

TEST(TermWeights, LogarithmsAreRounded) {
  for (const std::uint64_t documents : {2U, 1000U, 1679076U, 4000000000U}) {
    for (std::uint64_t df = 1; df < documents; df += 1 + df / 3) {
      const double exact = 64 * std::log2(static_cast<double>(documents) / static_cast<double>(df));
      ASSERT_NEAR(static_cast<double>(idf_weight(Idf::log, documents, df)), exact, 0.5001);
    }
  }
}

TEST(TermWeights, EachTermHasItsOwn) {
  std::vector<TermCount> terms;
  for (const std::uint64_t hash : stream_shingles(1, 5000)) {
    terms.push_back({hash, 1 + terms.size()});
  }
  terms.push_back({0, 7});
  terms.push_back({0, 8});
  const TermWeights weights(terms, 10000, Idf::log);
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(weights.of(terms[i].hash), idf_weight(Idf::log, 10000, i + 1));
  }
  EXPECT_EQ(weights.of(0), idf_weight(Idf::log, 10000, 7));
  for (const std::uint64_t hash : stream_shingles(2, 5000)) {
    ASSERT_EQ(weights.of(hash), idf_weight(Idf::log, 10000, 1));
  }
}

TEST(TermWeights, OfNoTermsAllWeighTheSame) {
  EXPECT_EQ(TermWeights({}, 16, Idf::log).of(5), 256U);
  EXPECT_EQ(TermWeights().of(5), 1U);
}

/// A df file of a few terms.
std::string write_df(const testing::ScratchFolder& folder, bool lexicon) {
  TermTable table;
  table.documents = 1024;
  table.analyzer = "words";
  table.analyzer_version = find_analyzer("words")->version();
  if (lexicon) table.primary = NidfWindow{Ratio(1, 5), Ratio(4, 5), 1, 1024, 2};
  RunContext context;
  context.files = &disk();
  TermWriter writer(context, folder / "x.df", table);
  const TermPart part = lexicon ? TermPart::primary : TermPart::none;
  EXPECT_TRUE(writer.append({"rose", 16, part}).ok());
  EXPECT_TRUE(writer.append({"the", 1024, part}).ok());
  const Result<TermTable> made = writer.finish();
  EXPECT_TRUE(made.ok()) << made.error().message;
  return folder / "x.df";
}

TEST(TermWeights, AreReadFromAFile) {
  const testing::ScratchFolder folder;
  const std::string path = write_df(folder, false);
  const Result<TermWeights> log = TermWeights::read(disk(), path, Idf::log);
  ASSERT_TRUE(log.ok()) << log.error().message;
  EXPECT_EQ(log.value().of(token_hash("rose")), 6U * 64);
  EXPECT_EQ(log.value().of(token_hash("the")), 0U);
  EXPECT_EQ(log.value().of(token_hash("tulip")), 10U * 64);
  const Result<TermWeights> inverse = TermWeights::read(disk(), path, Idf::inverse);
  EXPECT_EQ(inverse.value().of(token_hash("rose")), std::uint64_t{1} << 28);
  EXPECT_EQ(inverse.value().of(token_hash("the")), std::uint64_t{1} << 22);
  EXPECT_FALSE(TermWeights::read(disk(), folder / "none", Idf::log).ok());
}

// A lexicon lacks the terms that most documents have, and they must not pass for rare ones.
TEST(TermWeights, ALexiconIsRefused) {
  const testing::ScratchFolder folder;
  const Result<TermWeights> read = TermWeights::read(disk(), write_df(folder, true), Idf::log);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("lacks the most frequent terms"), std::string::npos);
}

}  // namespace
}  // namespace twinset
