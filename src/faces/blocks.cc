// Walks both lists of passages at once. The walks meet at matches that have not moved; between
// these, each list is emptied in its own order.
//
// This file's interface is blocks.h; the rest is private.
#include "faces/blocks.h"

#include <algorithm>

#include "words/visible.h"

namespace twinset {
namespace {

bool in_order(const Passages& passages, const Passage& passage) {
  return passage.shared && !passage.repeat && passage.match != no_match &&
         !passages.matches[passage.match].moved;
}

}  // namespace

std::vector<Block> blocks(const Passages& passages) {
  std::vector<Block> result;
  result.reserve(passages.a.size() + passages.b.size());
  std::uint32_t a = 0, b = 0;
  const auto a_size = static_cast<std::uint32_t>(passages.a.size());
  const auto b_size = static_cast<std::uint32_t>(passages.b.size());
  while (a < a_size || b < b_size) {
    for (; a < a_size && !in_order(passages, passages.a[a]); ++a) {
      result.push_back({passages.a[a].shared ? BlockKind::away : BlockKind::only_a, a, b});
    }
    for (; b < b_size && !in_order(passages, passages.b[b]); ++b) {
      result.push_back({passages.b[b].shared ? BlockKind::here : BlockKind::only_b, a, b});
    }
    if (a < a_size && b < b_size) result.push_back({BlockKind::same, a++, b++});
  }
  return result;
}

Excerpt excerpt(std::string_view text, const Passage& passage, Ends ends) {
  const std::string_view whole = text.substr(passage.begin, passage.end - passage.begin);
  const std::uint32_t shown = ends == Ends::both ? 2 * passage.context : passage.context;
  Excerpt result;
  std::string_view head, tail;
  if (passage.tokens >= shown + fewest_hidden_tokens) {
    if (ends != Ends::tail) head = text.substr(passage.begin, passage.head_end - passage.begin);
    if (ends != Ends::head)
      tail = text.substr(passage.tail_begin, passage.end - passage.tail_begin);
    result.hidden_tokens = passage.tokens - shown;
    result.cut = true;
  } else if (whole.size() > 2 * most_context_bytes) {
    head = ends == Ends::tail ? std::string_view() : whole;
    tail = ends == Ends::head ? std::string_view() : whole;
    result.cut = true;
  } else {
    result.head = whole;
    return result;
  }
  result.head = whole_prefix(head, most_context_bytes);
  result.tail = whole_suffix(tail, most_context_bytes);
  result.hidden_bytes = whole.size() - result.head.size() - result.tail.size();
  return result;
}

}  // namespace twinset
