#include "spans/spans_summary.h"

#include <gtest/gtest.h>

#include "io/json_read.h"

namespace twinset {
namespace {

TEST(SpansSummary, HasEveryCount) {
  SpansSummary summary;
  summary.read = 9;
  summary.spans = 4;
  summary.reused_tokens = 120;
  summary.tokens = 300;
  summary.by_tokens = {0, 1, 3};
  summary.by_documents = {2, 5};
  summary.by_share = {1, 0, 1};
  SpansOptions options;
  options.least_tokens = 7;
  const std::string json = spans_summary_json(summary, options, "id");
  const JsonNode read = read_json(json, "summary").value();
  EXPECT_EQ(read["read"].integer(), 9U);
  EXPECT_EQ(read["spans"].integer(), 4U);
  EXPECT_EQ(read["reused_tokens"].integer(), 120U);
  EXPECT_EQ(read["spans_by_tokens"].raw(), "[0, 1, 3]");
  EXPECT_EQ(read["passages_by_documents"].raw(), "[2, 5]");
  EXPECT_EQ(read["documents_by_share"].raw(), "[1, 0, 1]");
  EXPECT_EQ(read["options"]["min_tokens"].text(), "7");
}

}  // namespace
}  // namespace twinset
