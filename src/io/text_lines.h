// The lines of a text, one by one.
//
//   for_each_line("a\r\nb", [](std::string_view line) { return line != "b"; });
//
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace twinset {

/// Calls `use` with each line, without its end, until that returns false.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!use(line)) return;
  }
}

}  // namespace twinset
