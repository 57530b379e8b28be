#include <gtest/gtest.h>

#include "io/json_read.h"
#include "support/field_check.h"
#include "twinset/phish.h"

namespace twinset {
namespace {

TEST(PhishFields, GoBothWays) {
  PhishSummary summary;
  testing::fill_fields(fields_of(summary));
  for (PhishPage& page : summary.found) page.labeled = page.chunks;
  const PhishSummary again = testing::expect_both_ways(summary);
  EXPECT_EQ(again.public_suffixes, summary.public_suffixes);
  EXPECT_EQ(again.found.size(), summary.found.size());
}

// The order of the contract: url, imitates, ..., chunks, ..., contains, parts.
TEST(PhishFields, JsonIsALineForEachPage) {
  PhishSummary summary;
  EXPECT_EQ(to_json(summary), "");
  summary.found = {{"http://a.example/",
                    "f",
                    7,
                    "https://bank.co.uk/",
                    "bank.co.uk",
                    4,
                    3,
                    {{"first", 0, 9}, {"second", 9, 40}}}};
  EXPECT_EQ(to_json(summary),
            R"({"url": "http://a.example/", "imitates": "https://bank.co.uk/", )"
            R"("site": "bank.co.uk", "chunks": 4, "labeled": 3, "contains": 0.75, "parts": )"
            R"([{"text": "first", "offset": 0, "length": 9}, )"
            R"({"text": "second", "offset": 9, "length": 40}], "file": "f", "record": 7})"
            "\n");
}

}  // namespace
}  // namespace twinset
