#include "spans/reused_texts.h"

#include <algorithm>

namespace twinset {

Result<bool> ReusedTexts::next(ReusedText& text) {
  text.stretches.clear();
  const ReusedStretch* row = rows_.peek();
  if (row == nullptr) {
    TWINSET_TRY(rows_.status());
    return false;
  }
  text.document = row->document;
  for (; row != nullptr && row->document == text.document; row = rows_.peek()) {
    if (!text.stretches.empty() && row->begin <= text.stretches.back().end) {
      text.stretches.back().end = std::max(text.stretches.back().end, row->end);
    } else {
      text.stretches.push_back(*row);
    }
    rows_.advance();
  }
  TWINSET_TRY(rows_.status());
  return true;
}

Status for_each_reused_text(const ReusedRows& rows,
                            const std::function<Status(const ReusedText& text)>& use) {
  TWINSET_ASSIGN(const auto cursor, rows.read());
  ReusedTexts texts(*cursor);
  ReusedText text;
  for (;;) {
    TWINSET_ASSIGN(const bool more, texts.next(text));
    if (!more) return {};
    TWINSET_TRY(use(text));
  }
}

}  // namespace twinset
