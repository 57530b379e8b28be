#include "job/keep_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "job/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The records' numbers in keep order, for a file of records with these values.
std::vector<std::uint64_t> order_under(const std::string& keep,
                                       const std::vector<std::string>& values) {
  Collection collection{{{"in.jsonl", {}, false}}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    collection.files[0].records.push_back({"", "text " + std::to_string(i), values[i]});
  }
  JobFixture fixture(collection, [&](DedupOptions& options) { options.keep = keep; });
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
  const Collection collection =
      texts_as_collection({"a b c", "a b c d e f g h i j k", "", "x x x x x x x x x x x x x x"});
  const auto order = [&](const char* keep, bool containment) {
    JobFixture fixture(collection, [&](DedupOptions& options) {
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
  EXPECT_EQ(order("", true), (Order{2, 1, 4, 3}));
  EXPECT_EQ(order("first", true), (Order{1, 2, 3, 4}));
}

TEST(SetKeepOrder, ReferencesAreAheadOfAll) {
  Collection collection{{{"ref.jsonl", {{"", "one", "5"}, {"", "two", "1"}}, true},
                         {"in.jsonl", {{"", "three", "9"}, {"", "four", "0"}}, false}}};
  for (const char* keep : {"first", "longest", "highest:order", "lowest:order"}) {
    JobFixture fixture(collection, [&](DedupOptions& options) { options.keep = keep; });
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
