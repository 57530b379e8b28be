#include "run/keep_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The numbers of records in keep order, for a file of records with these values.
std::vector<std::uint64_t> order_under(const std::string& keep,
                                       const std::vector<std::string>& values) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    collection.files[0].records.push_back({"", "text " + std::to_string(i), values[i]});
  }
  JobFixture fixture(collection, [&](JobOptions& options) { options.keep = keep; });
  fixture.read();
  std::vector<std::uint64_t> records(values.size());
  for (std::size_t i = 0; i < records.size(); ++i) records[i] = i + 1;
  std::sort(records.begin(), records.end(), [&](std::uint64_t a, std::uint64_t b) {
    return fixture.table().place({0, a}) < fixture.table().place({0, b});
  });
  return records;
}

using Order = std::vector<std::uint64_t>;

TEST(SetKeepOrder, NumbersCompareAsNumbersAndMissingOnesSortLast) {
  const std::vector<std::string> values{"10", "9", "", "-2.5", "1e1", "9.0", "null", "0"};
  EXPECT_EQ(order_under("lowest:order", values), (Order{4, 8, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(order_under("highest:order", values), (Order{1, 5, 2, 6, 8, 4, 3, 7}));
  EXPECT_EQ(order_under("oldest:order", values), order_under("lowest:order", values));
  EXPECT_EQ(order_under("newest:order", values), order_under("highest:order", values));
}

TEST(SetKeepOrder, NumbersBeyondDoublesAndInStringsToo) {
  EXPECT_EQ(order_under("lowest:order",
                        {"9007199254740993", "\"9007199254740992\"", "18446744073709551616",
                         "\"18446744073709551615\"", "1e-400", "-1e400"}),
            (Order{6, 5, 2, 1, 4, 3}));
}

TEST(SetKeepOrder, OneWordAmongNumbersMakesAllBytes) {
  EXPECT_EQ(order_under("lowest:order", {"10", "9", "\"x\"", "-1"}), (Order{4, 1, 2, 3}));
  EXPECT_EQ(order_under("highest:order", {"10", "9", "\"x\"", "-1"}), (Order{3, 2, 1, 4}));
  EXPECT_EQ(order_under("newest:order",
                        {"\"2024-01-05\"", "\"2024-01-15T10:00\"", "\"\"", "\"2023-12-31\""}),
            (Order{2, 1, 4, 3}));
}

TEST(SetKeepOrder, DatesOfAllFormsCompareAsMoments) {
  const std::vector<std::string> values{"\"2025-01-02\"", "\"Tue, 5 May 2026 10:00:00 GMT\"",
                                        "1700000000", "\"2026-05-05T09:00:00-05:00\"",
                                        "1577836800000"};
  EXPECT_EQ(order_under("newest:order", values), (Order{4, 2, 1, 3, 5}));
  EXPECT_EQ(order_under("oldest:order", values), (Order{5, 3, 1, 2, 4}));
  EXPECT_EQ(order_under("highest:order", values), (Order{4, 2, 1, 3, 5})) << "all are dates";
  EXPECT_EQ(order_under("newest:order", {"1577836800000", "1700000000"}), (Order{2, 1}))
      << "milliseconds and seconds";
}

TEST(SetKeepOrder, ValuesThatAreNotDatesSortAfterDates) {
  const std::vector<std::string> values{"\"03/04/2026\"", "\"2020-01-01\"", "", "\"2021\""};
  EXPECT_EQ(order_under("newest:order", values), (Order{4, 2, 1, 3}));
  EXPECT_EQ(order_under("oldest:order", values), (Order{2, 4, 1, 3}));
}

/// The warning of a run with this rule over records with these values.
std::string warning_under(const std::string& keep, const std::vector<std::string>& values) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    collection.files[0].records.push_back({"", "text " + std::to_string(i), values[i]});
  }
  JobFixture fixture(collection, [&](JobOptions& options) { options.keep = keep; });
  fixture.read();
  return fixture.keep_warning();
}

TEST(KeepValues, WarnOfAFieldThatNoDocumentHas) {
  EXPECT_EQ(warning_under("newest:order", {"", "", ""}),
            "no document has a field 'order' of text or a number, so the input order decides");
  EXPECT_EQ(warning_under("highest:order", {"", "3", ""}),
            "2 of 3 documents without a field 'order' come after all others");
  EXPECT_EQ(warning_under("highest:order", {"1", "3"}), "");
  EXPECT_EQ(warning_under("longest", {"", ""}), "");
}

TEST(KeepValues, CountWhatIsNotRead) {
  EXPECT_EQ(warning_under("newest:order", {"\"2020-01-01\"", "\"03/04/2026\"", "\"x\"", ""}),
            "2 of 3 values of 'order' can't be read as a date (the first: '03/04/2026') and count "
            "as missing, after all others; 1 of 4 documents have no such field");
  EXPECT_EQ(warning_under("newest:order", {"\"v2\"", "\"v10\""}),
            "no value of 'order' can be read as a date (the first: 'v2'), so they compare as text");
  EXPECT_EQ(warning_under("highest:order", {"1", "\"n/a\"", "2"}),
            "1 of 3 values of 'order' are not numbers (the first: 'n/a'), so all compare as text");
  EXPECT_EQ(warning_under("highest:order", {"\"a\"", "\"b\""}), "") << "text was meant";
}

TEST(SetKeepOrder, LongValuesThatAgreeSoFarAreTies) {
  const std::string same(order_key_bytes, 'x');
  EXPECT_EQ(order_under("lowest:order",
                        {"\"" + same + "b\"", "\"" + same + "a\"", "\"" + same.substr(1) + "\""}),
            (Order{3, 1, 2}));
}

TEST(SetKeepOrder, AValueOfAnotherKindIsMissing) {
  EXPECT_EQ(order_under("highest:order", {"true", "1", "{\"a\":9}", "[9]", "2"}),
            (Order{5, 2, 1, 3, 4}));
}

TEST(SetKeepOrder, LengthIsTokensAndWithContainmentDistinctShingles) {
  const MadeCollection collection =
      texts_as_collection({"a b c", "a b c d e f g h i j k", "", "x x x x x x x x x x x x x x"});
  const auto order = [&](const char* keep, bool containment) {
    JobFixture fixture(collection, [&](JobOptions& options) {
      options.keep = keep;
      if (containment) options.containment = Ratio(9, 10);
    });
    fixture.read();
    Order records{1, 2, 3, 4};
    std::sort(records.begin(), records.end(), [&](std::uint64_t a, std::uint64_t b) {
      return fixture.table().place({0, a}) < fixture.table().place({0, b});
    });
    return records;
  };
  EXPECT_EQ(order("longest", false), (Order{4, 2, 1, 3}));
  EXPECT_EQ(order("shortest", false), (Order{3, 1, 2, 4}));
  EXPECT_EQ(order("longest", true), (Order{2, 1, 4, 3}));
  EXPECT_EQ(order("first", true), (Order{1, 2, 3, 4}));
}

TEST(SetKeepOrder, ReferencesAreAheadOfAll) {
  MadeCollection collection{{{"ref.jsonl", {{"", "one", "5"}, {"", "two", "1"}}, true},
                             {"in.jsonl", {{"", "three", "9"}, {"", "four", "0"}}, false}}};
  for (const char* keep : {"first", "longest", "highest:order", "lowest:order"}) {
    JobFixture fixture(collection, [&](JobOptions& options) { options.keep = keep; });
    fixture.read();
    DocumentTable& table = fixture.table();
    EXPECT_LT(table.place({0, 1}), table.place({0, 2})) << keep;
    for (const std::uint64_t record : {1U, 2U}) {
      EXPECT_LT(table.place({0, 2}), table.place({1, record})) << keep;
    }
  }
}

}  // namespace
}  // namespace twinset
