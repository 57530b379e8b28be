// The generated table of the lexicon of English.
#include <gtest/gtest.h>

#include <map>

#include "base/file_header.h"
#include "stats/english.h"

namespace twinset {
namespace {

TEST(EnglishTable, TheTableIsWhole) {
  const TermTable table = english_table();
  std::string before;
  std::map<TermPart, std::uint64_t> terms;
  ASSERT_TRUE(for_each_english_term([&](const CountedTerm& term) -> Status {
                EXPECT_LT(before, term.text);
                before = term.text;
                ++terms[term.part];
                const auto& window =
                    term.part == TermPart::primary ? table.primary : table.secondary;
                EXPECT_GE(term.documents, window->least_df) << term.text;
                EXPECT_LE(term.documents, window->most_df) << term.text;
                return {};
              }).ok());
  EXPECT_EQ(terms[TermPart::primary], table.primary->terms);
  EXPECT_EQ(terms[TermPart::secondary], table.secondary->terms);
  EXPECT_EQ(table.terms, table.primary->terms + table.secondary->terms);
  EXPECT_GT(table.primary->terms, 10'000U);
  EXPECT_GT(table.documents, 50'000U);
}

// Signatures made with one table never meet those of another. If this fails because the table was
// made again, put its new hash here.
TEST(EnglishTable, TheHashNamesTheTable) {
  EXPECT_EQ(fingerprint_text(english_hash()), "58c40ca46c82720c34d5ea7911755610");
}

}  // namespace
}  // namespace twinset
