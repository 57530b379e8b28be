#include <gtest/gtest.h>

#include "io/field_json.h"
#include "twinset/merge.h"

namespace twinset {
namespace {

TEST(MergeFields, TellTheVerbWhoseRunItIs) {
  MergeSummary summary;
  EXPECT_EQ(fields_json(fields_of(summary), JsonLayout::one_line), "{}");
  summary.dedup.emplace();
  summary.dedup->total.read = 7;
  const std::string json = fields_json(fields_of(summary), JsonLayout::one_line);
  EXPECT_TRUE(json.starts_with(R"({"dedup": {"read": 7, )")) << json;
  EXPECT_EQ(json.find("cluster\": {"), std::string::npos);
}

}  // namespace
}  // namespace twinset
