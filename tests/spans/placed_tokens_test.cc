#include "spans/placed_tokens.h"

#include "support_runs/job_fixture.h"
#include "system/threads.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Analysis analysis_of(const std::string& text) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::keep, analysis);
  return analysis;
}

TEST(TextTokens, AreTheSameWhereverTheyAreHeld) {
  const MadeCollection made = planted_collection({.seed = 6, .documents = 60, .files = 2});
  JobFixture fixture(made);
  fixture.read();
  for (const std::uint64_t memory : {0U, 1U << 14, 1U << 30}) {
    TokenCache cache(fixture.texts(), memory);
    const Status done = run_workers(2, [&](unsigned worker) -> Status {
      TextTokens texts(cache);
      SeededRandom random(memory + worker);
      for (int i = 0; i < 500; ++i) {
        const std::uint64_t file = random.below(2);
        const std::uint64_t record = random.below(made.files[file].records.size());
        const DocumentId document(file, record + 1);
        const bool follows = random.below(3) == 0;
        TWINSET_ASSIGN(const PlacedTokens* const got,
                       follows ? texts.follow(document) : texts.of(document));
        const Analysis expected = analysis_of(made.files[file].records[record].text);
        EXPECT_EQ(got->document, document);
        EXPECT_EQ(got->tokens, expected.tokens);
        EXPECT_EQ(got->offsets, expected.offsets);
        EXPECT_TRUE(got->in_order);
        if (random.below(100) == 0) texts.drop();
        if (random.below(100) == 0) cache.clear();
      }
      return {};
    });
    EXPECT_TRUE(done.ok());
  }
}

/// What is followed stays valid while earlier texts are read, and four such texts are not read
/// again, but for a long one.
TEST(TextTokens, KeepTheTextsFollowedLast) {
  MadeCollection made = planted_collection({.seed = 6, .documents = 60, .files = 1});
  std::string& long_text = made.files[0].records[41].text;
  for (int i = 0; i < 300'000; ++i) long_text += " " + std::to_string(i % 1000);
  JobFixture fixture(made);
  fixture.read();
  TokenCache cache(fixture.texts(), 0);
  TextTokens texts(cache);
  std::vector<const PlacedTokens*> followed;
  for (std::uint64_t record = 1; record <= 4; ++record) {
    followed.push_back(texts.follow(DocumentId(0, record)).value());
  }
  for (std::uint64_t record = 5; record <= 40; ++record) {
    ASSERT_TRUE(texts.of(DocumentId(0, record)).ok());
  }
  for (std::uint64_t record = 1; record <= 4; ++record) {
    EXPECT_EQ(texts.of(DocumentId(0, record)).value(), followed[record - 1]);
    EXPECT_EQ(followed[record - 1]->tokens,
              analysis_of(made.files[0].records[record - 1].text).tokens);
  }
  const PlacedTokens* const long_one = texts.follow(DocumentId(0, 42)).value();
  EXPECT_EQ(texts.of(DocumentId(0, 42)).value(), long_one);
  EXPECT_EQ(long_one->tokens, analysis_of(long_text).tokens);
  const PlacedTokens* const next = texts.follow(DocumentId(0, 1)).value();
  EXPECT_EQ(texts.of(DocumentId(0, 4)).value(), followed[3]);
  const PlacedTokens* const again = texts.of(DocumentId(0, 42)).value();
  EXPECT_NE(again, long_one);
  EXPECT_EQ(again->tokens, analysis_of(long_text).tokens);
  EXPECT_EQ(next->tokens, analysis_of(made.files[0].records[0].text).tokens);
}

TEST(PlacedTokens, BytesAreThoseFromTheFirstToTheLastInAnyOrder) {
  PlacedTokens text;
  text.offsets = {{0, 4}, {5, 9}, {5, 12}, {14, 20}};
  text.order();
  EXPECT_TRUE(text.in_order);
  EXPECT_EQ(text.bytes_of(1, 2), (TokenOffsets{5, 12}));
  text.offsets = {{30, 34}, {5, 9}, {50, 52}, {14, 20}};
  text.order();
  EXPECT_FALSE(text.in_order);
  EXPECT_EQ(text.bytes_of(0, 2), (TokenOffsets{5, 34}));
  EXPECT_EQ(text.bytes_of(1, 3), (TokenOffsets{5, 52}));
  EXPECT_EQ(text.bytes_of(3, 1), (TokenOffsets{14, 20}));
  text.offsets = {{0, 9}, {1, 8}};
  text.order();
  EXPECT_FALSE(text.in_order);
  EXPECT_EQ(text.bytes_of(0, 2), (TokenOffsets{0, 9}));
}

}  // namespace
}  // namespace twinset
