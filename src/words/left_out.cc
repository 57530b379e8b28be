#include "words/left_out.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_note_bytes = 60;  ///< of the words that a note shows

}  // namespace

std::vector<TextRange> leave_out(const TokenRanges& ranges, std::string& text, Analysis& analysis) {
  std::vector<TextRange> notes;
  if (ranges.empty()) return notes;
  const std::string whole = std::move(text);
  text.clear();
  std::vector<std::uint64_t> tokens;
  std::vector<TokenOffsets> offsets;
  std::size_t copied = 0;  // bytes of the whole text
  std::size_t next = 0;    // token
  const auto keep_until = [&](std::size_t token, std::size_t byte) {
    const std::size_t shift = text.size() - copied;  // May wrap; so does adding it.
    for (; next < token; ++next) {
      tokens.push_back(analysis.tokens[next]);
      const TokenOffsets at = analysis.offsets[next];
      offsets.push_back({static_cast<std::uint32_t>(at.begin + shift),
                         static_cast<std::uint32_t>(at.end + shift)});
    }
    text.append(whole, copied, byte - copied);
  };
  for (const auto& [begin, range_end] : ranges) {
    const std::size_t end = std::min(range_end, analysis.tokens.size());
    if (begin >= end) break;
    keep_until(begin, std::max<std::size_t>(copied, analysis.offsets[begin].begin));
    const std::size_t from = analysis.offsets[begin].begin;
    copied = analysis.offsets[end - 1].end;
    const std::string words =
        first_words(std::string_view(whole).substr(from, copied - from), most_note_bytes);
    const std::size_t note = text.size();
    text += fmt::format("[{} not compared: {}]", format_count(end - begin, "word", "words"), words);
    notes.push_back({static_cast<std::uint32_t>(note), static_cast<std::uint32_t>(text.size())});
    next = end;
  }
  keep_until(analysis.tokens.size(), whole.size());
  analysis.tokens = std::move(tokens);
  analysis.offsets = std::move(offsets);
  return notes;
}

}  // namespace twinset
