#include "stats/english.h"

#include <gtest/gtest.h>

#include "stats/lexicon.h"
#include "system/files.h"
#include "text/analyzer.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"

namespace twinset {
namespace {

// Tokens are looked up by their hash: each term must be one that the analyzer makes, as it is.
TEST(English, ItsTermsAreTokensOfTheAnalyzer) {
  const TermTable table = english_table();
  const Analyzer& analyzer = *find_analyzer(table.analyzer);
  EXPECT_EQ(table.analyzer_version, analyzer.version());
  EXPECT_EQ(table.unicode, unicode::version);
  Analysis analysis;
  ASSERT_TRUE(for_each_english_term([&](const CountedTerm& term) -> Status {
                analyzer.analyze(term.text, Offsets::drop, analysis);
                EXPECT_EQ(analysis.tokens, std::vector{token_hash(term.text)}) << term.text;
                return {};
              }).ok());
}

TEST(English, IsLoadedWithoutAFile) {
  const Result<Lexicon> english = Lexicon::load(disk(), "");
  ASSERT_TRUE(english.ok()) << english.error().message;
  EXPECT_EQ(english.value().primary().size(), english_table().primary->terms);
  EXPECT_EQ(english.value().secondary().size(), english_table().secondary->terms);
  std::uint64_t before = UINT64_MAX;
  for (const LexiconTerm& term : english.value().secondary()) {
    EXPECT_LE(term.documents, before);
    before = term.documents;
  }
}

}  // namespace
}  // namespace twinset
