#include "support/field_check.h"
#include "twinset/labels.h"

namespace twinset {
namespace {

TEST(LabelsFields, GoBothWays) {
  LabelsSummary summary{3, 2, "sha1 least=10", "00ff"};
  EXPECT_EQ(fields_json(fields_of(summary)),
            R"({"chunks": 3, "files": 2, "rules": "sha1 least=10", "hash": "00ff"})");
  const LabelsSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.hash, summary.hash);
}

}  // namespace
}  // namespace twinset
