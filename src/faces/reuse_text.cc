#include "faces/reuse_text.h"

#include <fmt/format.h>

#include "words/visible.h"

namespace twinset {

std::string expected_text(double expected) { return fmt::format("{:.2g}", expected); }

std::string words_text(std::string_view text, std::size_t most_bytes) {
  return visible_text(first_words(text, most_bytes));
}

}  // namespace twinset
