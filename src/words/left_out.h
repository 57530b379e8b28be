// Shows a text that was compared without its templates: each stretch that was not compared becomes
// a short note in its place, which a view grays out.
//
//   std::vector<TextRange> notes = leave_out({{0, 2}}, text, analysis);
//   // text: "[2 words not compared: Home Index] Fish and chips"; the analysis lacks two tokens
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "scheme/document_view.h"
#include "text/analyzer.h"
#include "twinset/pair.h"

namespace twinset {

/// Puts notes in place of the tokens of `ranges`, and drops these from the analysis of the text,
/// whose offsets then are those in the new text. Gives the notes' bytes. Ranges may go beyond
/// the tokens: a text may be cut.
std::vector<TextRange> leave_out(const TokenRanges& ranges, std::string& text, Analysis& analysis);

/// Calls `use(piece, is_note)` for the pieces of `part`, a part of `whole`, that are notes and
/// those that are not, in order.
template <class Use>
void split_notes(std::string_view whole, std::span<const TextRange> notes, std::string_view part,
                 Use use) {
  if (part.empty()) return;
  const auto begin = static_cast<std::size_t>(part.data() - whole.data());
  std::size_t at = begin;
  const std::size_t end = begin + part.size();
  for (const TextRange& note : notes) {
    if (note.end <= at) continue;
    if (note.begin >= end) break;
    const std::size_t from = std::max<std::size_t>(note.begin, at);
    const std::size_t to = std::min<std::size_t>(note.end, end);
    if (from > at) use(whole.substr(at, from - at), false);
    use(whole.substr(from, to - from), true);
    at = to;
  }
  if (at < end) use(whole.substr(at, end - at), false);
}

}  // namespace twinset
