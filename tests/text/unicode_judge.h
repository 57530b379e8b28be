// Unicode's normal and caseless forms as the library utf8proc has them, which judges
// ours.
//
// Threads: pure functions.
#pragma once

#include <utf8proc.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/unicode_table.h"

namespace twinset::judge {

/// The version of the database that utf8proc was made from.
inline std::string_view unicode_version() { return utf8proc_unicode_version(); }

/// Why utf8proc cannot judge the tables: it knows characters that they do not; else empty.
inline std::string cannot_judge() {
  if (unicode_version() == unicode::version) return {};
  return "utf8proc is of Unicode " + std::string(unicode_version()) + ", and the tables are of " +
         std::string(unicode::version);
}

/// Is the code point an assigned character of that version, and not a private one?
inline bool is_assigned(std::uint32_t code_point) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(code_point));
  return category != UTF8PROC_CATEGORY_CN && category != UTF8PROC_CATEGORY_CO &&
         category != UTF8PROC_CATEGORY_CS;
}

/// `text`, which is UTF-8, by utf8proc's `options`.
inline std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* bytes = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                   static_cast<utf8proc_option_t>(options | UTF8PROC_STABLE));
  if (size < 0) return utf8proc_errmsg(size);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  std::free(bytes);
  return out;
}

inline std::string nfc(std::string_view text) { return mapped(text, UTF8PROC_COMPOSE); }
inline std::string nfd(std::string_view text) { return mapped(text, UTF8PROC_DECOMPOSE); }
inline std::string nfkc(std::string_view text) {
  return mapped(text, UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
}

/// The canonical caseless form: two texts match caselessly if theirs are equal (D145).
inline std::string caseless(std::string_view text) {
  return mapped(nfd(text), UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);
}

/// The compatibility caseless form (D146).
inline std::string compatibly_caseless(std::string_view text) {
  constexpr int folded = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD;
  return mapped(mapped(caseless(text), folded), folded);
}

}  // namespace twinset::judge
