// Parts of documents after a pass and after a checkpoint. tests/cli/within.test has their use.
#include "spans/parts.h"

#include <gtest/gtest.h>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class PartsOfDocuments : public ::testing::Test {
 protected:
  PartsOfDocuments() {
    context_.files = &unsynced();
    context_.tmp = folder_.path();
  }
  RowsOptions options() { return {&context_, folder_ / "parts", std::uint64_t{8} << 20, 1}; }
  /// Documents on lines 2 and 4 of five; line 3 is bad.
  void collect(Parts& parts) {
    const auto rows = parts.rows();
    rows->begin({0, 0, 5});
    const RecordView view(rule_);
    const Record record;
    for (const std::uint64_t line : {2U, 3U, 4U}) {
      const Fate fate = line == 3 ? Fate::bad : Fate::kept;
      const ReadRecord read{DocumentId(0, line), record, fate, view, 1000 + line};
      EXPECT_TRUE(static_cast<Collector&>(parts).take(read, *rows).ok());
    }
    ASSERT_TRUE(static_cast<Collector&>(parts).put(*rows).ok());
  }
  static void expect_parts(const Parts& parts) {
    EXPECT_EQ(parts.read(1).value(), 1002U);
    EXPECT_EQ(parts.read(2).value(), 0U);
    EXPECT_EQ(parts.read(3).value(), 1004U);
  }

  const ScratchFolder folder_;
  RunContext context_;
  const ViewRule rule_{.analyzer = find_analyzer("words")};
};

TEST_F(PartsOfDocuments, AreReadByIndex) {
  Parts parts(options());
  ASSERT_TRUE(parts.open(nullptr).ok());
  collect(parts);
  expect_parts(parts);
}

TEST_F(PartsOfDocuments, ComeBackFromACheckpoint) {
  StateFile saved;
  {
    Parts parts(options());
    ASSERT_TRUE(parts.open(nullptr).ok());
    collect(parts);
    ASSERT_TRUE(parts.checkpoint(saved).ok());
  }
  Parts parts(options());
  ASSERT_TRUE(parts.open(&saved).ok());
  expect_parts(parts);
}

}  // namespace
}  // namespace twinset
