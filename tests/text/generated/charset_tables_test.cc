// The tables of charsets: as long as the standard's indexes, and of characters alone.
// charset_test.cc holds each entry against iconv.
#include "text/charset_tables.h"

#include <gtest/gtest.h>

#include <cstring>

namespace twinset {
namespace {

TEST(CharsetTables, AreAsLongAsTheStandardsIndexes) {
  EXPECT_EQ(jis0208_table_entries, 11280U);
  EXPECT_EQ(jis0212_table_entries, 94U * 94);
  EXPECT_EQ(gbk_table_entries, 126U * 190);
  EXPECT_EQ(big5_table_entries, 126U * 157);
  EXPECT_EQ(euc_kr_table_entries, 126U * 190);
  EXPECT_EQ(std::strlen(jis0208_table), 3 * jis0208_table_entries);
  EXPECT_EQ(std::strlen(gb18030_ranges), 3 * gb18030_ranges_entries);
  EXPECT_EQ(std::strlen(single_byte_table), 27U * 128 * 3);
}

TEST(CharsetTables, HoldCharactersAlone) {
  for (std::size_t i = 0; i < gbk_table_entries; ++i) {
    const std::uint32_t code_point = table_entry(gbk_table, i);
    EXPECT_FALSE(code_point >= 0xd800 && code_point < 0xe000) << i;
    EXPECT_LT(code_point, 0x40000U);
  }
  EXPECT_EQ(table_entry(gbk_table, 0), 0x4e02U);
  EXPECT_EQ(table_entry(jis0208_table, 0), 0x3000U);
  EXPECT_EQ(table_entry(euc_kr_table, 0), 0xac02U);
}

TEST(CharsetTables, RangesAscend) {
  for (std::size_t i = 2; i < gb18030_ranges_entries; i += 2) {
    EXPECT_LT(table_entry(gb18030_ranges, i - 2), table_entry(gb18030_ranges, i));
  }
}

}  // namespace
}  // namespace twinset
