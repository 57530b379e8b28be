#include "spans/placed_tokens.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(TokenCache, GivesTheSameTokensFromMemoryAndAgain) {
  const MadeCollection made = planted_collection({.seed = 6, .documents = 60, .files = 2});
  JobFixture fixture(made);
  fixture.read();
  for (const std::uint64_t memory : {0U, 1U << 14, 1U << 30}) {
    TokenCache cache(fixture.texts(), memory);
    SeededRandom random(memory);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t file = random.below(2);
      const std::uint64_t record = random.below(made.files[file].records.size());
      const Result<const PlacedTokens*> got = cache.get(DocumentId(file, record + 1));
      ASSERT_TRUE(got.ok()) << got.error().message;
      Analysis expected;
      find_analyzer("words")->analyze(made.files[file].records[record].text, Offsets::keep,
                                      expected);
      ASSERT_EQ(got.value()->tokens, expected.tokens);
      ASSERT_EQ(got.value()->offsets, expected.offsets);
    }
    cache.clear();
    EXPECT_TRUE(cache.get(DocumentId(0, 1)).ok());
  }
}

}  // namespace
}  // namespace twinset
