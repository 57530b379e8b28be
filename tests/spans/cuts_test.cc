// What is cut of one text, against marks on each token.
#include "spans/cuts.h"

#include <gtest/gtest.h>

#include <random>

#include "rows/rows_testing.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

using Stretches = std::vector<TokenStretch>;

Stretches stretches_of(const std::vector<bool>& marks) {
  Stretches out;
  for (std::uint32_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) continue;
    if (out.empty() || out.back().end != i) out.push_back({i, i});
    out.back().end = i + 1;
  }
  return out;
}

Stretches random_stretches(std::mt19937_64& random, std::size_t tokens) {
  std::vector<bool> marks(tokens);
  for (std::size_t i = 0; i < tokens; ++i) marks[i] = random() % 8 < 3;
  return stretches_of(marks);
}

TEST(Cuts, LaterPlacesWithoutFirstOnes) {
  Stretches out;
  cuts_of({}, 3, out);
  EXPECT_EQ(out, Stretches());
  // later at 2 and 4, touching at 7; first at 8
  const std::vector<CutPlace> places{{0, 2, 1}, {0, 4, 1}, {0, 7, 1}, {0, 8, 0}};
  cuts_of(places, 3, out);
  EXPECT_EQ(out, (Stretches{{2, 8}}));
}

TEST(Cuts, AreThoseOfMarksOnTokens) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto run_tokens = static_cast<unsigned>(1 + random() % 6);
    const std::size_t tokens = run_tokens + random() % 40;
    std::vector<CutPlace> places;
    std::vector<bool> marks(tokens);
    for (std::uint32_t begin = 0; begin + run_tokens <= tokens; ++begin) {
      const auto kind = random() % 6;
      if (kind < 2) places.push_back({3, begin, static_cast<std::uint32_t>(kind)});
    }
    for (const bool later : {true, false}) {
      for (const CutPlace& place : places) {
        if ((place.is_later != 0) != later) continue;
        for (unsigned i = 0; i < run_tokens; ++i) marks[place.begin + i] = later;
      }
    }
    Stretches out;
    cuts_of(places, run_tokens, out);
    ASSERT_EQ(out, stretches_of(marks)) << round;
  }
}

TEST(Cuts, OfWhatOthersLeftAreJoinedToThem) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = random() % 30;
    std::vector<std::uint64_t> tokens(size);
    for (std::size_t i = 0; i < size; ++i) tokens[i] = i;
    const Stretches earlier = random_stretches(random, size);
    std::vector<std::uint64_t> rest = tokens;
    remove(earlier, rest);
    ASSERT_EQ(rest.size(), size - tokens_of(earlier));
    const Stretches later = random_stretches(random, rest.size());
    remove(later, rest);
    Stretches both;
    join(earlier, later, both);
    std::vector<bool> gone(size, true);
    for (const std::uint64_t token : rest) gone[token] = false;
    ASSERT_EQ(both, stretches_of(gone)) << round;
  }
}

TEST(Cuts, AreReadTextByText) {
  const testing::ScratchFolder folder;
  const RunContext context = testing::context_on(disk());
  CutRows rows({&context, folder / "cuts", 1 << 20, 0});
  ASSERT_TRUE(rows.append(std::vector<CutStretch>{{7, 1, 2}, {2, 5, 9}, {2, 1, 3}}).ok());
  ASSERT_TRUE(rows.seal().ok());
  CutsByText cuts(std::move(rows.read()).value());
  EXPECT_EQ(cuts.next_text().value(), 2U);
  Stretches out{{0, 1}};
  ASSERT_TRUE(cuts.read(1, out).ok());
  EXPECT_EQ(out, Stretches());
  ASSERT_TRUE(cuts.read(2, out).ok());
  EXPECT_EQ(out, (Stretches{{1, 3}, {5, 9}}));
  EXPECT_EQ(cuts.next_text().value(), 7U);
  ASSERT_TRUE(cuts.read(8, out).ok());  // past a text that nobody asked for
  EXPECT_EQ(out, Stretches());
  EXPECT_FALSE(cuts.next_text().value().has_value());
}

}  // namespace
}  // namespace twinset
