#include "stats/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "rows/rows_testing.h"
#include "system/memory_files.h"
#include "text/token_hash.h"

namespace twinset::testing {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// A df file and the lexicons made of it.
class Fixture {
 public:
  Fixture(std::uint64_t documents, const Counts& counts) {
    TermTable table;
    table.documents = documents;
    table.analyzer = "words";
    table.analyzer_version = 2;
    TermWriter writer(context_, "x.df", table);
    for (const auto& [term, df] : counts) EXPECT_TRUE(writer.append({term, df}).ok());
    EXPECT_TRUE(writer.finish().ok());
  }

  Result<TermTable> build(const LexiconRule& rule) {
    TWINSET_ASSIGN(const TermFile file, TermFile::open(files, "x.df"));
    return write_lexicon(context_, file, rule, "x.lexicon");
  }
  /// The terms of a part in the order of the file.
  Counts part(TermPart wanted) {
    Counts found;
    const TermFile file = TermFile::open(files, "x.lexicon").value();
    EXPECT_TRUE(file.for_each([&](const CountedTerm& term) -> Status {
                      if (term.part == wanted) found[std::string(term.text)] = term.documents;
                      return {};
                    })
                    .ok());
    return found;
  }

  MemoryFiles files;

 private:
  RunContext context_ = context_on(files);
};

// N = 10,000: nidf 0.25 is df 1,000, nidf 0.75 is df 10, nidf 0.5 is df 100.
const Counts ten{{"all", 10'000}, {"and", 1001}, {"barn", 1000}, {"cart", 11}, {"dawn", 10},
                 {"elm", 9},      {"fox", 5},    {"goat", 5},    {"hare", 5},  {"ivy", 1}};

std::vector<std::uint64_t> hashes(std::span<const LexiconTerm> terms) {
  std::vector<std::uint64_t> all;
  for (const LexiconTerm& term : terms) all.push_back(term.hash);
  return all;
}

LexiconRule middle() {
  LexiconRule rule;
  rule.low = Ratio(1, 4);
  rule.high = Ratio(3, 4);
  return rule;
}

// I-03.
TEST(Lexicon, TheWindowChoosesTermsByWholeDf) {
  Fixture fixture(10'000, ten);
  const Result<TermTable> made = fixture.build(middle());
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(made.value().primary->least_df, 10U);
  EXPECT_EQ(made.value().primary->most_df, 1000U);
  EXPECT_EQ(made.value().primary->terms, 3U);
  EXPECT_EQ(made.value().terms, 3U);
  EXPECT_FALSE(made.value().secondary.has_value());
  EXPECT_EQ(made.value().made_from, TermFile::open(fixture.files, "x.df").value().table().hash);
  EXPECT_EQ(fixture.part(TermPart::primary), (Counts{{"barn", 1000}, {"cart", 11}, {"dawn", 10}}));
}

// I-06: ties are taken in the order of the terms' bytes.
TEST(Lexicon, TheSecondaryPartIsRankedByRisingIdfAndCut) {
  Fixture fixture(10'000, ten);
  LexiconRule rule = middle();
  rule.secondary_low = Ratio(3, 4);
  rule.secondary_high = Ratio(1, 1);
  ASSERT_TRUE(fixture.build(rule).ok());
  EXPECT_EQ(fixture.part(TermPart::secondary),
            (Counts{{"elm", 9}, {"fox", 5}, {"goat", 5}, {"hare", 5}}))
      << "ivy is under the least df of 2, and dawn is primary";
  rule.min_df = 1;
  ASSERT_TRUE(fixture.build(rule).ok());
  EXPECT_EQ(fixture.part(TermPart::secondary).size(), 5U);
  // Terms of one df are taken in the order of their bytes.
  rule.secondary_terms = 3;
  ASSERT_TRUE(fixture.build(rule).ok());
  EXPECT_EQ(fixture.part(TermPart::secondary), (Counts{{"elm", 9}, {"fox", 5}, {"goat", 5}}));

  const Result<Lexicon> loaded = Lexicon::load(fixture.files, "x.lexicon");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  std::vector<std::uint64_t> ranked;
  for (const LexiconTerm& term : loaded.value().secondary()) ranked.push_back(term.hash);
  EXPECT_EQ(ranked,
            (std::vector<std::uint64_t>{token_hash("elm"), token_hash("fox"), token_hash("goat")}));
  std::vector<std::uint64_t> primary;
  for (const LexiconTerm& term : loaded.value().primary()) primary.push_back(term.hash);
  EXPECT_TRUE(std::ranges::is_sorted(primary));
  EXPECT_EQ(primary.size(), 3U);
  EXPECT_TRUE(loaded.value().texts().empty());

  const Lexicon kept = Lexicon::load(fixture.files, "x.lexicon", TermTexts::keep).value();
  EXPECT_EQ(kept.texts().size(), 6U);
  for (const auto part : {kept.primary(), kept.secondary()}) {
    for (const LexiconTerm& term : part) {
      EXPECT_EQ(token_hash(kept.texts()[term.place]), term.hash);
    }
  }
}

// Against the definition, term by term.
TEST(Lexicon, PartsAreThoseOfTheDefinition) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 30; ++round) {
    const std::uint64_t documents = 500 + random() % 5000;
    Counts counts{{"few", 3}};
    for (int i = 0; i < 400; ++i) {
      counts["t" + std::to_string(random() % 5000)] = 1 + random() % (1 + random() % documents);
    }
    LexiconRule rule = middle();
    rule.secondary_low = Ratio(3, 4);
    rule.secondary_high = Ratio(1, 1);
    rule.secondary_terms = 1 + random() % 60;
    rule.min_df = 1 + random() % 3;
    Fixture fixture(documents, counts);
    const Result<TermTable> made = fixture.build(rule);
    ASSERT_TRUE(made.ok()) << made.error().message;
    Counts primary;
    std::vector<std::pair<std::int64_t, std::string>> rarer;
    for (const auto& [term, df] : counts) {
      if (df < *rule.min_df) continue;
      if (df >= made.value().primary->least_df && df <= made.value().primary->most_df) {
        primary[term] = df;
      } else if (df < made.value().primary->least_df) {
        rarer.emplace_back(-static_cast<std::int64_t>(df), term);
      }
    }
    std::ranges::sort(rarer);
    rarer.resize(std::min<std::size_t>(rarer.size(), rule.secondary_terms));
    EXPECT_EQ(fixture.part(TermPart::primary), primary);
    const Lexicon lexicon = Lexicon::load(fixture.files, "x.lexicon").value();
    ASSERT_EQ(lexicon.secondary().size(), rarer.size());
    for (std::size_t i = 0; i < rarer.size(); ++i) {
      EXPECT_EQ(lexicon.secondary()[i].hash, token_hash(rarer[i].second)) << i;
    }
    // Cut without a file, it is the same.
    const TermFile file = TermFile::open(fixture.files, "x.df").value();
    const Result<Lexicon> cut = Lexicon::cut(file, rule, TermTexts::keep);
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    EXPECT_EQ(hashes(cut.value().primary()), hashes(lexicon.primary()));
    EXPECT_EQ(hashes(cut.value().secondary()), hashes(lexicon.secondary()));
    EXPECT_EQ(cut.value().table().terms, lexicon.table().terms);
    EXPECT_EQ(cut.value().texts().size(), lexicon.table().terms);
    EXPECT_EQ(cut.value().table().min_df, *rule.min_df);
  }
}

TEST(Lexicon, WindowsThatAreNoneAreOneClearError) {
  Fixture fixture(10'000, ten);
  const auto refused = [&](const LexiconRule& rule) {
    const Result<TermTable> made = fixture.build(rule);
    EXPECT_FALSE(made.ok());
    return made.ok() ? std::string() : made.error().text(Door::command_line);
  };
  LexiconRule rule = middle();
  rule.high = rule.low;
  EXPECT_NE(refused(rule).find("from a lower to a higher nidf"), std::string::npos);
  rule = middle();
  rule.secondary_low = Ratio(1, 2);
  rule.secondary_high = Ratio(1, 1);
  EXPECT_NE(refused(rule).find("it begins where that of nidf ends (0.75)"), std::string::npos);
  rule = middle();
  rule.low = Ratio(1, 100);
  rule.high = Ratio(1, 50);
  EXPECT_EQ(refused(rule),
            "no term of x.df lies in the window of nidf 0.01 to 0.02, which is df 8318 to 9120 "
            "and has 2 documents or more; choose a wider window of nidf, or count more documents");
  rule.of_scheme = true;
  rule.high = rule.low;
  EXPECT_TRUE(refused(rule).starts_with("nidf=0.01:0.01 is no window")) << refused(rule);
  EXPECT_TRUE(fixture.files.read("x.lexicon").empty());
  EXPECT_NE(Lexicon::load(fixture.files, "x.df").error().message.find("is a df file"),
            std::string::npos);
  Fixture single(1, {{"rose", 1}});
  EXPECT_NE(single.build(middle()).error().message.find("counts 1 document"), std::string::npos);
}

TEST(Lexicon, ALexiconIsNotBuiltOfALexicon) {
  Fixture fixture(10'000, ten);
  ASSERT_TRUE(fixture.build(middle()).ok());
  RunContext context = context_on(fixture.files);
  const TermFile lexicon = TermFile::open(fixture.files, "x.lexicon").value();
  const Result<TermTable> again = write_lexicon(context, lexicon, middle(), "y.lexicon");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset::testing
