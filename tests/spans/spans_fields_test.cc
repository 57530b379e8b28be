#include "io/json_read.h"
#include "run/summary.h"
#include "support/field_check.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

TEST(SpansFields, GoBothWays) {
  testing::expect_both_ways(SpansSummary());
  SpansSummary summary;
  testing::fill_fields(fields_of(summary));
  const SpansSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.by_share, summary.by_share);
  EXPECT_EQ(again.least_tokens, summary.least_tokens);
}

TEST(SpansFields, OfTwoTextsGoBothWays) {
  ComparedSpans compared;
  compared.name_a = "a.txt";
  compared.spans = {{1, 5, 20, 24, 3}};
  EXPECT_EQ(fields_json(fields_of(compared)),
            R"({"a": "a.txt", "b": "", "min_tokens": 0, "tokens_a": 0, "tokens_b": 0, )"
            R"("shared_tokens_a": 0, "shared_tokens_b": 0, "all": true, )"
            R"("spans": [{"a": [1, 5], "b": [20, 24], "tokens": 3}]})");
  testing::fill_fields(fields_of(compared));
  const ComparedSpans again = testing::expect_both_ways(compared);
  EXPECT_EQ(again.spans.at(1).end_b, compared.spans[1].end_b);
  EXPECT_FALSE(again.all);
}

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
  options.min_tokens = 7;
  const std::string json = summary_json(summary, options);
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
