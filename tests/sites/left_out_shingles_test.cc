// tests/sites/template_account_test.cc and tests/cli/templates.test see the rows in a run.
#include "sites/left_out_shingles.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(LeftOutShingles, WindowsOfShortTexts) {
  EXPECT_EQ(windows_of(0, 5), 0U);
  EXPECT_EQ(windows_of(1, 5), 1U);
  EXPECT_EQ(windows_of(5, 5), 1U);
  EXPECT_EQ(windows_of(6, 5), 2U);
  EXPECT_EQ(windows_of(6, 1), 6U);
}

TEST(LeftOutShingles, TakesNoPartInARunOverWholeTexts) {
  JobFixture fixture(MadeCollection{{{"in.jsonl", {{"", "a b c", ""}}, false}}});
  LeftOutShingles left_out(fixture.job());
  EXPECT_TRUE(left_out.collectors().empty());
  EXPECT_TRUE(left_out.seal().ok());
  EXPECT_EQ(left_out.read().value(), nullptr);
}

TEST(LeftOutReader, FindsDocumentsThatAscend) {
  JobFixture fixture(MadeCollection{{{"in.jsonl", {{"", "a b c", ""}}, false}}});
  RowFile<LeftOutRow> rows({&fixture.job().context, fixture.job().spill + "rows", 0, 1});
  const LeftOutRow made[] = {{DocumentId(0, 2), 7}, {DocumentId(0, 4), 9}, {DocumentId(1, 1), 3}};
  ASSERT_TRUE(rows.append(made).ok());
  ASSERT_TRUE(rows.seal().ok());
  const auto cursor = rows.read().value();
  LeftOutReader reader(cursor.get());
  EXPECT_EQ(reader.shingles(DocumentId(0, 1)).value(), 0U);
  EXPECT_EQ(reader.shingles(DocumentId(0, 2)).value(), 7U);
  EXPECT_EQ(reader.shingles(DocumentId(0, 5)).value(), 0U);
  EXPECT_EQ(reader.shingles(DocumentId(1, 1)).value(), 3U);
  EXPECT_EQ(reader.shingles(DocumentId(1, 2)).value(), 0U);
}

}  // namespace
}  // namespace twinset
