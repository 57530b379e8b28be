// Each fact of the table against utf8proc's, code point by code point.
#include "text/canonical_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "text/text_samples.h"
#include "text/unicode_judge.h"

namespace twinset {
namespace {

std::string utf8_of_sequence(std::uint16_t place) {
  std::string text;
  for (const std::uint32_t part : unicode::canonical_sequence(place)) text += utf8_of(part);
  return text;
}

TEST(CanonicalTable, RecordsSayWhatUtf8procSays) {
  if (const std::string why = judge::cannot_judge(); !why.empty()) GTEST_SKIP() << why;
  int decomposed = 0, compatible = 0, folded = 0, marks = 0;
  for (std::uint32_t code_point = 1; code_point < 0x110000; ++code_point) {
    if (!judge::is_assigned(code_point)) continue;
    const unicode::CanonicalRecord& record = unicode::canonical_record(code_point);
    const std::string it = utf8_of(code_point);
    const bool hangul = code_point - 0xAC00 < 11172;
    const std::string nfd = judge::nfd(it);
    ASSERT_EQ(record.decomposed == 0 ? it : utf8_of_sequence(record.decomposed), hangul ? it : nfd)
        << std::hex << code_point;
    const std::string nfkd = judge::mapped(it, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    ASSERT_EQ(record.compatible == 0 ? nfd : utf8_of_sequence(record.compatible), nfkd)
        << std::hex << code_point;
    ASSERT_EQ(record.combining,
              utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->combining_class)
        << std::hex << code_point;
    // utf8proc folds and decomposes in one.
    const std::string fold = record.folded == 0 ? it : utf8_of_sequence(record.folded);
    ASSERT_EQ(judge::nfd(fold), judge::mapped(it, UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD))
        << std::hex << code_point;
    decomposed += record.decomposed != 0;
    compatible += record.compatible != 0;
    folded += record.folded != 0;
    marks += record.combining != 0;
  }
  EXPECT_EQ(decomposed, 2061);
  EXPECT_GT(compatible, 3600);
  EXPECT_GT(folded, 1500);
  EXPECT_GT(marks, 900);
}

TEST(CanonicalTable, CompositionsAreInOrderAndUndone) {
  const auto key = [](const unicode::Composition& pair) {
    return std::pair(pair.first, pair.second);
  };
  EXPECT_TRUE(std::ranges::is_sorted(unicode::compositions, {}, key));
  for (const unicode::Composition& pair : unicode::compositions) {
    EXPECT_EQ(unicode::compose(pair.first, pair.second), pair.composed);
    EXPECT_EQ(judge::nfc(utf8_of({pair.first, pair.second})), utf8_of(pair.composed));
    EXPECT_TRUE(unicode::canonical_record(pair.second).may_compose) << std::hex << pair.second;
  }
  EXPECT_EQ(unicode::compose('a', 'b'), 0u);
  EXPECT_EQ(unicode::compose(0x915, 0x93C), 0u) << "excluded from composition";
  EXPECT_EQ(unicode::compose(0x1112, 0x1161), 0xD558u) << "Hangul by its formula";
  EXPECT_EQ(unicode::compose(0xD558, 0x11AB), 0xD55Cu);
  EXPECT_EQ(unicode::compose(0xD55C, 0x11AB), 0u);
}

TEST(CanonicalTable, SymbolsAreThoseOfUtf8proc) {
  if (const std::string why = judge::cannot_judge(); !why.empty()) GTEST_SKIP() << why;
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    const std::string category =
        utf8proc_category_string(static_cast<utf8proc_int32_t>(code_point));
    ASSERT_EQ(unicode::is_symbol(code_point), category[0] == 'P' || category[0] == 'S')
        << std::hex << code_point;
  }
}

}  // namespace
}  // namespace twinset
