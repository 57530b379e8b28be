#include "spans/reused_texts.h"

#include <gtest/gtest.h>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(ReusedTexts, StretchesThatTouchAreOne) {
  const ScratchFolder folder;
  RunContext context;
  context.files = &unsynced();
  ReusedRows rows({&context, folder / "reused", 1 << 20, 0});
  const DocumentId one(0, 1);
  const DocumentId two(1, 9);
  ASSERT_TRUE(
      rows
          .append(std::vector<ReusedStretch>{
              {two, 3, 5}, {one, 10, 20}, {one, 0, 4}, {one, 15, 18}, {one, 20, 22}, {one, 23, 24}})
          .ok());
  ASSERT_TRUE(rows.seal().ok());
  std::string seen;
  ASSERT_TRUE(for_each_reused_text(rows, [&](const ReusedText& text) -> Status {
                seen += std::to_string(text.document.source()) + ":" +
                        std::to_string(text.document.record()) + " " +
                        std::to_string(text.tokens());
                for (const ReusedStretch& stretch : text.stretches) {
                  seen += " " + std::to_string(stretch.begin) + "-" + std::to_string(stretch.end);
                }
                seen += "\n";
                return {};
              }).ok());
  EXPECT_EQ(seen, "0:1 17 0-4 10-22 23-24\n1:9 2 3-5\n");
}

}  // namespace
}  // namespace twinset
