// From stores to fates and proofs.
#include "match/match.h"

#include <array>
#include <map>
#include <string>

#include "support_runs/exact_shingles.h"
#include "support_runs/match_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// 0 kept; 1 near 0; 2 a copy of 1; 3 a copy of 0; 4 filtered.
DocumentTable small_table() {
  const std::array<std::uint64_t, 1> lines{5};
  DocumentTable table(lines, 0);
  table.set(1, {Fate::near, 0});
  table.set(2, {Fate::identical, 1});
  table.set(3, {Fate::lexical, 0});
  table.set(4, {Fate::filtered, 0});
  return table;
}

TEST(Match, ACopyOfARemovedDocumentHasItsSurvivorAndFate) {
  const DocumentTable table = small_table();
  EXPECT_EQ(final_survivor(table, 2), 0U);
  EXPECT_EQ(final_fate(table, 2), Fate::near);
  EXPECT_EQ(final_survivor(table, 1), 0U);
}

TEST(Match, ACopyOfAKeptDocumentIsACopy) {
  const DocumentTable table = small_table();
  EXPECT_EQ(final_survivor(table, 3), 0U);
  EXPECT_EQ(final_fate(table, 3), Fate::lexical);
  EXPECT_EQ(final_survivor(table, 0), 0U);
  EXPECT_EQ(final_fate(table, 4), Fate::filtered);
}

// Each removed document has one proof, in order, with the exact numbers of it and its survivor;
// copies have the numbers of their originals.
TEST(MatchDocuments, ProvesEachThatGoesAndNoOther) {
  for (const std::uint64_t seed : {800U, 801U, 802U}) {
    const MadeCollection collection = planted_collection(
        {.seed = seed, .documents = 300, .files = 3, .references = seed % 2, .orders = true});
    MatchFixture fixture(collection, [&](JobOptions& options) {
      options.keep = seed == 802 ? "newest:order" : "longest";
      if (seed == 801) options.containment = Ratio(9, 10);
    });
    fixture.read();
    const MatchReport report = fixture.match();
    EXPECT_GT(report.verified_pairs, 0U);

    DocumentTable& table = fixture.table();
    std::map<DocumentId, Proof> proofs;
    auto cursor = fixture.proofs().read();
    ASSERT_TRUE(cursor.ok());
    DocumentId before;
    for (;;) {
      const Result<const Proof*> next = cursor.value()->next();
      ASSERT_TRUE(next.ok());
      if (next.value() == nullptr) break;
      EXPECT_LT(before, next.value()->document);
      before = next.value()->document;
      proofs[before] = *next.value();
    }
    std::size_t judged_out = 0;
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      const Fate fate = final_fate(table, i);
      if (fate != Fate::near && fate != Fate::contained) continue;
      ++judged_out;
      ASSERT_TRUE(proofs.contains(table.document(i)));
      const Proof& proof = proofs[table.document(i)];
      EXPECT_EQ(table.index(proof.survivor), final_survivor(table, i));
      EXPECT_EQ(proof.link.state, LinkState::reached);
      Analysis analysis;
      TokenRanges left_out;
      std::string text;
      const auto shingles = [&](DocumentId document) {
        // The text of the original: that of a copy need not be readable.
        std::uint64_t at = table.index(document);
        if (table.standing(at).folded()) at = table.standing(at).other;
        EXPECT_TRUE(fixture.texts().see(table.document(at), text, left_out).ok());
        fixture.job().signer.view.analyzer->analyze(text, Offsets::drop, analysis);
        return ExactShingles(analysis.tokens, 5);
      };
      const ExactShingles gone = shingles(proof.document);
      const ExactShingles stays = shingles(proof.survivor);
      EXPECT_EQ(proof.link.numbers.later, gone.size());
      EXPECT_EQ(proof.link.numbers.earlier, stays.size());
      EXPECT_EQ(proof.link.numbers.shared, intersection_size(gone, stays));
    }
    EXPECT_EQ(proofs.size(), judged_out);
    EXPECT_GT(judged_out, 20U);
  }
}

}  // namespace
}  // namespace twinset
