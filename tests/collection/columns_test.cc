// Columns of strings: each layout, each fault, and the temporaries that do not compile.
#include "twinset/columns.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace twinset {
namespace {

/// The values of a column; "(none)" for a missing one.
std::vector<std::string> values(const StringColumn& column) {
  std::vector<std::string> out;
  for (std::uint64_t i = 0; i < column.size(); ++i) {
    out.emplace_back(column.has(i) ? column[i] : "(none)");
  }
  return out;
}

std::string fault(const Result<StringColumn>& column) {
  return column.ok() ? std::string() : column.error().message;
}

/// A view of `value` in a buffer, from `begin` on; a short value stands in the view.
ArrowView view_of(std::string_view value, std::int32_t buffer, std::int32_t begin) {
  ArrowView view;
  view.bytes = static_cast<std::int32_t>(value.size());
  if (value.size() <= 12) {
    char* whole = reinterpret_cast<char*>(&view);
    std::memcpy(whole + 4, value.data(), value.size());
  } else {
    std::memcpy(view.first, value.data(), 4);
    view.buffer = buffer;
    view.begin = begin;
  }
  return view;
}

TEST(StringColumn, GivesTheValuesOfEachLayout) {
  const std::vector<std::string> expected{"one", "", "of more than twelve bytes", "twelve bytes"};
  std::vector<std::string_view> string_views(expected.begin(), expected.end());
  std::string bytes = "..";
  std::vector<std::int32_t> offsets_32{2};
  std::vector<std::int64_t> offsets_64{2};
  std::vector<ArrowView> views;
  for (const std::string& value : expected) {
    views.push_back(view_of(value, 1, static_cast<std::int32_t>(bytes.size())));
    bytes += value;
    offsets_32.push_back(static_cast<std::int32_t>(bytes.size()));
    offsets_64.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  const std::array<std::string_view, 2> buffers{"", bytes};
  EXPECT_EQ(values(expected), expected);
  EXPECT_EQ(values(string_views), expected);
  EXPECT_EQ(values(StringColumn::from_offsets(bytes, offsets_32).value()), expected);
  EXPECT_EQ(values(StringColumn::from_offsets(bytes, offsets_64).value()), expected);
  EXPECT_EQ(values(StringColumn::from_views(views, buffers).value()), expected);
  EXPECT_EQ(StringColumn().size(), 0U);
  EXPECT_EQ(StringColumn::from_offsets(bytes, std::span<const std::int32_t>()).value().size(), 0U);
  EXPECT_EQ(StringColumn::from_offsets(bytes, std::array<std::int64_t, 1>{7}).value().size(), 0U);
}

TEST(StringColumn, ASliceHasItsBitsFromAnyBitOn) {
  const std::string bytes = "abcdefghijkl";
  std::vector<std::int32_t> offsets;
  for (std::int32_t i = 0; i <= 12; ++i) offsets.push_back(i);
  const std::array<std::uint8_t, 2> bits{0b10110101, 0b01101110};
  const std::string all = "a(none)c(none)ef(none)h(none)jkl";
  for (std::uint64_t begin = 0; begin < 12; ++begin) {
    const auto from = static_cast<std::size_t>(begin);
    const StringColumn column =
        StringColumn::from_offsets(bytes, std::span<const std::int32_t>(offsets).subspan(from),
                                   {bits, begin})
            .value();
    ASSERT_EQ(column.size(), 12 - begin);
    for (std::uint64_t i = 0; i < column.size(); ++i) {
      const std::uint64_t bit = begin + i;
      EXPECT_EQ(column.has(i), (bits[bit / 8] >> bit % 8 & 1) != 0) << begin << " " << i;
      if (!column.has(i)) continue;
      EXPECT_EQ(column[i], bytes.substr(from + i, 1));
    }
  }
}

TEST(StringColumn, NamesTheFirstBadOffset) {
  const std::string bytes(10, 'x');
  const auto of = [&](std::vector<std::int64_t> offsets) {
    return fault(StringColumn::from_offsets(bytes, offsets)).substr(0, 41);
  };
  EXPECT_EQ(of({0, 3, 10}), "");
  EXPECT_EQ(of({5}), "");
  EXPECT_EQ(of({0, 4, 3}), "value 2 goes from byte 4 to 3 of 10; offs");
  EXPECT_EQ(of({-1, 4}), "value 1 goes from byte -1 to 4 of 10; off");
  EXPECT_EQ(of({0, 11}), "value 1 goes from byte 0 to 11 of 10; off");
  EXPECT_EQ(of({0, INT64_MAX}).substr(0, 27), "value 1 goes from byte 0 to");
  EXPECT_EQ(of({INT64_MIN, 3}).substr(0, 25), "value 1 goes from byte -9");
}

TEST(StringColumn, OffsetsThatWrappedSayWhatHolds2GiB) {
  // What a writer of 32-bit offsets makes of more than 2 GiB.
  const std::array<std::int32_t, 3> offsets{0, 2'147'483'647, -2'147'483'000};
  const std::string message = fault(StringColumn::from_offsets(
      std::string_view("x", 1), std::span<const std::int32_t>(offsets).subspan(1)));
  EXPECT_NE(message.find("give offsets of 64 bits"), std::string::npos) << message;
}

TEST(StringColumn, ValidityOfTooFewBitsIsRefused) {
  const std::string bytes = "abcdefghi";
  const std::array<std::int32_t, 10> offsets{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::array<std::uint8_t, 2> bits{255, 255};
  const std::span<const std::uint8_t> two(bits);
  EXPECT_EQ(fault(StringColumn::from_offsets(bytes, offsets, {two, 7})), "");
  EXPECT_EQ(fault(StringColumn::from_offsets(bytes, offsets, {two, 8})),
            "the validity bitmap has 16 bits, and 9 values from bit 8 on need more");
  EXPECT_NE(fault(StringColumn::from_offsets(bytes, offsets, {two.first(1), 0})), "");
  EXPECT_NE(fault(StringColumn::from_offsets(bytes, offsets, {two, UINT64_MAX})), "");
  const std::vector<ArrowView> views(17);
  EXPECT_NE(fault(StringColumn::from_views(views, std::span<const std::string_view>(), {two, 0})),
            "");
}

TEST(StringColumn, NamesTheFirstBadView) {
  const std::string buffer(100, 'x');
  const std::array<std::string_view, 1> buffers{buffer};
  const auto of = [&](ArrowView view, Validity validity = {}) {
    const std::vector<ArrowView> views{view_of("fine", 0, 0), view};
    return fault(StringColumn::from_views(views, buffers, validity));
  };
  ArrowView view{.bytes = 50, .buffer = 0, .begin = 50};
  EXPECT_EQ(of(view), "");
  view.begin = 51;
  EXPECT_EQ(of(view), "value 2 has 50 bytes from byte 51 of a buffer of 100");
  view.begin = -1;
  EXPECT_EQ(of(view), "value 2 has 50 bytes from byte -1 of a buffer of 100");
  view.buffer = 1;
  EXPECT_EQ(of(view), "value 2 is in buffer 1 of 1, counted from 0");
  view.buffer = -1;
  EXPECT_EQ(of(view), "value 2 is in buffer -1 of 1, counted from 0");
  view.bytes = -50;
  EXPECT_EQ(of(view), "value 2 has -50 bytes");
  // A missing value may hold anything.
  const std::uint8_t first_alone = 0b01;
  EXPECT_EQ(of(view, {{&first_alone, 1}}), "");
}

TEST(TextColumn, IdsAreUniqueAndAsManyAsTexts) {
  const std::vector<std::string> texts{"a", "b", "c"};
  const std::vector<std::string> ids{"x", "y", "z"};
  const std::vector<std::string> twice{"x", "y", "x"};
  TextColumn column(texts);
  EXPECT_EQ(column.ids().size(), 0U);
  EXPECT_TRUE(column.set_ids(ids).ok());
  EXPECT_EQ(values(column.ids()), ids);
  EXPECT_EQ(column.set_ids(twice).error().message, "memory: texts 1 and 3 have the same id, \"x\"");
  EXPECT_EQ(column.set_ids(std::span<const std::string>(ids).first(2)).error().message,
            "memory: the column of ids has 2 values for 3 texts");
  EXPECT_EQ(values(column.ids()), ids);  // A refused column changes nothing.
  // Two missing ids are not equal ones.
  const std::array<std::int32_t, 4> offsets{0, 0, 0, 0};
  const std::uint8_t none = 0;
  EXPECT_TRUE(column.set_ids(StringColumn::from_offsets("", offsets, {{&none, 1}}).value()).ok());
}

TEST(TextColumn, FieldsHaveNamesOfTheirOwn) {
  const std::vector<std::string> texts{"a", "b"};
  const std::vector<std::string> one{"x"};
  TextColumn column(texts);
  EXPECT_TRUE(column.add_field("date", texts).ok());
  EXPECT_FALSE(column.add_field("date", texts).ok());
  EXPECT_FALSE(column.add_field("", texts).ok());
  EXPECT_EQ(column.add_field("url", one).error().message,
            "memory: the field \"url\" has 1 values for 2 texts");
  ASSERT_EQ(column.fields().size(), 1U);
  EXPECT_EQ(column.fields()[0].name, "date");
}

template <class Bytes>
concept HoldsOffsetsInto = requires(Bytes&& bytes, std::vector<std::int64_t> offsets) {
  StringColumn::from_offsets(std::forward<Bytes>(bytes), offsets);
};

TEST(TextColumn, TemporariesDoNotCompile) {
  static_assert(std::is_constructible_v<TextColumn, const std::vector<std::string>&>);
  static_assert(std::is_constructible_v<TextColumn, std::vector<std::string_view>&>);
  static_assert(!std::is_constructible_v<TextColumn, std::vector<std::string>>);
  static_assert(!std::is_constructible_v<TextColumn, const std::vector<std::string>>);
  static_assert(!std::is_constructible_v<TextColumn, std::vector<std::string_view>>);
  static_assert(!std::is_constructible_v<StringColumn, std::vector<std::string>>);
  static_assert(!std::is_constructible_v<StringColumn, std::vector<std::string_view>>);
  static_assert(HoldsOffsetsInto<const std::string&>);
  static_assert(HoldsOffsetsInto<std::string_view>);
  static_assert(!HoldsOffsetsInto<std::string>);
}

}  // namespace
}  // namespace twinset
