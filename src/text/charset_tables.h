// The tables of text/generated/charset_tables.cc: code points by pointer, as in the indexes of the
// WHATWG Encoding Standard.
//
// Threads: constants.
#pragma once

#include <cstddef>
#include <cstdint>

namespace twinset {

extern const char single_byte_table[];  ///< 128 entries a charset
extern const char jis0208_table[];
extern const std::size_t jis0208_table_entries;
extern const char jis0212_table[];
extern const std::size_t jis0212_table_entries;
extern const char gbk_table[];
extern const std::size_t gbk_table_entries;
extern const char big5_table[];
extern const std::size_t big5_table_entries;
extern const char euc_kr_table[];
extern const std::size_t euc_kr_table_entries;
/// Pairs of a pointer and the code point from which both go on side by side.
extern const char gb18030_ranges[];
extern const std::size_t gb18030_ranges_entries;

/// Entry `i` of a table; 0: nothing.
inline std::uint32_t table_entry(const char* table, std::size_t i) {
  const auto six = [&](std::size_t at) {
    const auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(table[at]));
    return code - 35 - (code > '?' ? 1 : 0) - (code > '\\' ? 1 : 0);
  };
  return six(3 * i) << 12 | six(3 * i + 1) << 6 | six(3 * i + 2);
}

}  // namespace twinset
