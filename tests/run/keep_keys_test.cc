#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "twinset/keep.h"

namespace twinset {
namespace {

using Order = std::vector<std::size_t>;

KeepKeys keys_of(const std::string& rule, bool html = false) {
  return KeepKeys::make(rule, "words", html).value();
}

/// The values in keep order, counted in two parts.
Order order_under(const KeepKeys& keys, const std::vector<std::string>& values) {
  KeepCounts all;
  for (std::size_t part = 0; part < 2; ++part) {
    KeepCounts counts;
    for (std::size_t i = part; i < values.size(); i += 2) keys.count(values[i], counts);
    all.documents += counts.documents;
    all.missing += counts.missing;
    all.numbers += counts.numbers;
    all.dates += counts.dates;
  }
  Order order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto key_a = keys.key(values[a], all);
    const auto key_b = keys.key(values[b], all);
    if (key_a.has_value() != key_b.has_value()) return key_a.has_value();
    return key_a.has_value() && (keys.descending() ? *key_b < *key_a : *key_a < *key_b);
  });
  return order;
}

TEST(KeepKeys, NumbersDatesAndWords) {
  EXPECT_EQ(order_under(keys_of("lowest:n"), {"10", "9", "", "-2.5", "1e1", "9.0", "0"}),
            (Order{3, 6, 1, 5, 0, 4, 2}));
  EXPECT_EQ(order_under(keys_of("highest:n"), {"10", "9", "x", "-1"}), (Order{2, 1, 0, 3}));
  EXPECT_EQ(order_under(keys_of("newest:d"), {"2020", "3 May 2026", "", "never", "2021-02"}),
            (Order{1, 4, 0, 2, 3}));
}

TEST(KeepKeys, LengthsOfFieldsAndTokensOfTexts) {
  EXPECT_EQ(order_under(keys_of("shortest-url"), {"http://b/", "", "http://a/", "x"}),
            (Order{3, 2, 0, 1}));
  EXPECT_EQ(keys_of("shortest-url").field(), "url");
  EXPECT_EQ(order_under(keys_of("longest"), {"a b", "one", "c, d", "x y z"}), (Order{3, 0, 2, 1}));
  EXPECT_EQ(order_under(keys_of("shortest", true), {"<b>a</b> b", "<p class='one two'>one"}),
            (Order{1, 0}));
  EXPECT_EQ(keys_of("longest").field(), "");
}

// What is cut off must not change how keys compare.
TEST(KeepKeys, KeysHaveNoZerosAtTheirEnds) {
  const std::string spaced("a\0b\0", 4);
  EXPECT_EQ(*keys_of("lowest:w").key(spaced, {.documents = 1}), std::string("a\0b", 3));
}

TEST(KeepKeys, TellsWhatIsOdd) {
  EXPECT_EQ(keys_of("newest:d").warning({.documents = 4, .missing = 1, .dates = 2}),
            "1 of 3 values of 'd' can't be read as a date and count as missing, after all others; "
            "1 of 4 documents have no such field");
  EXPECT_EQ(keys_of("highest:n").warning({.documents = 3, .numbers = 1}),
            "2 of 3 values of 'n' are not numbers, so all compare as text");
  EXPECT_EQ(keys_of("longest").warning({}), "");
}

TEST(KeepKeys, RefusesBadRules) {
  EXPECT_EQ(KeepKeys::make("best", "words", false).error().code, ErrorCode::usage);
  EXPECT_EQ(KeepKeys::make("first", "none", false).error().code, ErrorCode::usage);
  EXPECT_TRUE(keys_of("first").as_read());
  EXPECT_FALSE(keys_of("shortest").as_read());
}

}  // namespace
}  // namespace twinset
