// Pages that are gone and pages that are new meet by their content.
#include "track/page_moves.h"

#include "track/track_testing.h"

namespace twinset::testing {
namespace {

struct MovesFixture {
  ScratchFolder folder;
  RunContext context = quiet_context();
  VersionMaker make;
  PageMoves moves{context, folder / "spill.", 1 << 22, make.sampler(), Ratio(1, 2)};

  static RunContext quiet_context() {
    RunContext context;
    context.files = &disk();
    return context;
  }
  /// "3 -> a.org/x between", "4 <- a.org/y".
  std::vector<std::string> all() {
    EXPECT_TRUE(moves.find().ok());
    std::vector<std::string> lines;
    PageMoves::Moves::Cursor cursor = moves.read().value();
    for (;;) {
      const PageMove* const move = cursor.next().value();
      if (move == nullptr) return lines;
      lines.push_back(std::to_string(move->page) + (move->is_to ? " -> " : " <- ") + move->url +
                      (move->between ? " between" : ""));
    }
  }
};

TEST(PageMoves, APageMovesToTheNewOneThatResemblesItMost) {
  MovesFixture made;
  const std::string text = page_words(1, 300);
  const auto& make = made.make;
  ASSERT_TRUE(made.moves.add_gone(0, make("a.org/old", "2026-01-01", text)).ok());
  ASSERT_TRUE(
      made.moves.add_new(1, make("a.org/alike", "2026-02-01", text + " and " + page_words(2, 100)))
          .ok());
  ASSERT_TRUE(made.moves.add_new(2, make("a.org/late", "2026-03-01", text)).ok());
  ASSERT_TRUE(made.moves.add_new(3, make("b.org/new", "2026-02-01", text)).ok());
  ASSERT_TRUE(made.moves.add_new(4, make("b.org/else", "2026-02-01", page_words(3, 300))).ok());
  EXPECT_EQ(made.all(),
            (std::vector<std::string>{"0 -> b.org/new between", "3 <- a.org/old between"}));
}

TEST(PageMoves, OneMovesToANewPageAndNoneBackInTime) {
  MovesFixture made;
  const std::string text = page_words(1, 300);
  const auto& make = made.make;
  ASSERT_TRUE(
      made.moves.add_gone(0, make("a.org/half", "2026-01-01", text + " " + page_words(2, 200)))
          .ok());
  ASSERT_TRUE(made.moves.add_gone(1, make("a.org/same", "2026-01-01", text)).ok());
  ASSERT_TRUE(made.moves.add_gone(2, make("a.org/later", "2026-03-01", text)).ok());
  ASSERT_TRUE(made.moves.add_new(3, make("a.org/new", "2026-02-01", text)).ok());
  EXPECT_EQ(made.all(), (std::vector<std::string>{"1 -> a.org/new", "3 <- a.org/same"}));
}

TEST(PageMoves, WithoutPagesThereAreNone) { EXPECT_TRUE(MovesFixture().all().empty()); }

TEST(PageMoves, AMoveIsReadBackAsItWasWritten) {
  const PageMove move{7, true, true, "a.org/x"};
  std::string bytes;
  move.append_to(bytes);
  EncodedBytes rest(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  EncodedBytes cut = rest.first(rest.size() - 1);
  PageMove read;
  EXPECT_FALSE(PageMove::take(cut, read));
  ASSERT_TRUE(PageMove::take(rest, read));
  EXPECT_EQ(read.page, 7U);
  EXPECT_TRUE(read.is_to && read.between);
  EXPECT_EQ(read.url, "a.org/x");
}

}  // namespace
}  // namespace twinset::testing
