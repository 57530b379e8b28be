#include "faces/reuse_text.h"

#include <fmt/format.h>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {

std::string expected_text(double expected) { return fmt::format("{:.2g}", expected); }

std::string reuse_line(std::uint64_t count, const std::string& what) {
  return fmt::format("{:>16}  {}\n", format_count(count), what);
}

std::string reuse_line(std::uint64_t count, const char* one, const char* more,
                       const std::string& rest) {
  return reuse_line(count, (count == 1 ? one : more) + rest);
}

std::string words_text(std::string_view text, std::size_t most_bytes) {
  return visible_text(first_words(text, most_bytes));
}

}  // namespace twinset
