// The requests of a filter's socket are read strictly, and its answers are lines of JSON.
#include "filter/filter_lines.h"

#include <gtest/gtest.h>

namespace twinset::testing {
namespace {

struct Requests {
  Result<FilterRequest> read(std::string_view line) { return requests.read(line); }
  std::string error(std::string_view line) {
    const auto read = requests.read(line);
    EXPECT_FALSE(read.ok()) << line;
    return read.ok() ? "" : read.error().message;
  }
  FieldNames fields;
  FilterRequests requests{fields};
};

TEST(FilterLines, ARequestHasItsFields) {
  Requests requests;
  const FilterRequest check = requests.read("{\"text\": \"a \\u00e9\"}").value();
  EXPECT_EQ(check.op, FilterOp::check);
  EXPECT_EQ(check.text, "a \xc3\xa9");
  EXPECT_EQ(check.id, "");
  const FilterRequest add =
      requests.read("{\"op\": \"add\", \"id\": \"x\\\"y\", \"text\": \"t\", \"html\": true}")
          .value();
  EXPECT_EQ(add.op, FilterOp::add);
  EXPECT_EQ(add.id, "\"x\\\"y\"");
  EXPECT_EQ(add.markup, Markup::html);
  EXPECT_EQ(requests.read("{\"op\": \"remove\", \"id\": 17}").value().id, "17");
  EXPECT_EQ(requests.read("{\"op\": \"stats\"}").value().op, FilterOp::stats);
}

TEST(FilterLines, ARecordIsReadAsItIsInAFile) {
  Requests requests;
  // {"text": "in a record"}
  const FilterRequest line =
      requests.read("{\"raw\": \"eyJ0ZXh0IjogImluIGEgcmVjb3JkIn0=\", \"format\": \"jsonl\"}")
          .value();
  EXPECT_EQ(line.text, "in a record");
  // <p>a page</p>
  const FilterRequest page =
      requests.read("{\"raw\": \"PHA+YSBwYWdlPC9wPg\", \"format\": \"html\"}").value();
  EXPECT_EQ(page.text, "<p>a page</p>");
  EXPECT_EQ(page.markup, Markup::html);
  EXPECT_NE(requests.error("{\"raw\": \"e30=\", \"format\": \"jsonl\"}").find("missing_text"),
            std::string::npos);
  EXPECT_EQ(requests.error("{\"raw\": \"a*\", \"format\": \"jsonl\"}"), "raw is not base64");
  EXPECT_NE(requests.error("{\"raw\": \"e30=\"}").find("has a format"), std::string::npos);
}

TEST(FilterLines, WhatIsNoRequestIsAnError) {
  Requests requests;
  for (const char* line :
       {"", "garbage", "[1]", "17", "{\"op\": \"chek\", \"text\": \"t\"}", "{\"text\": 1}", "{}",
        "{\"op\": \"add\", \"text\": \"t\"}", "{\"op\": \"remove\"}", "{\"texts\": \"t\"}",
        "{\"text\": \"t\", \"raw\": \"e30=\", \"format\": \"jsonl\"}",
        "{\"id\": [], \"text\": \"\"}", "{\"html\": 1, \"text\": \"t\"}", "{\"text\": \"t\"} {}",
        "{\"text\": \"\\ud800"}) {
    EXPECT_NE(requests.error(line), "") << line;
  }
  EXPECT_EQ(requests.error("{\"op\": \"chek\"}"),
            "there is no op 'chek'; known: check, add, remove, stats, metrics");
}

TEST(FilterLines, AnswersAreLines) {
  EXPECT_EQ(error_line("", "it is \"so\""), "{\"ok\": false, \"error\": \"it is \\\"so\\\"\"}\n");
  EXPECT_EQ(changed_line("7", "removed", false), "{\"ok\": true, \"id\": 7, \"removed\": false}\n");
  EXPECT_EQ(checked_line("", {}), "{\"ok\": true, \"verdict\": \"pass\"}\n");
  FilterStats stats;
  stats.checked = 12;
  const std::string metrics = metrics_text(stats);
  EXPECT_NE(metrics.find("# TYPE twinset_filter_prototypes gauge\ntwinset_filter_prototypes 0\n"),
            std::string::npos)
      << metrics;
  EXPECT_NE(metrics.find("# TYPE twinset_filter_checked_total counter\n"
                         "twinset_filter_checked_total 12\n"),
            std::string::npos)
      << metrics;
  EXPECT_TRUE(metrics_line(stats).starts_with("{\"ok\": true, \"metrics\": \"# HELP "));
}

}  // namespace
}  // namespace twinset::testing
