// What the spans of a collection add up to for each text: the stretches that stand at an earlier
// place, each token counted once.
//
//   TWINSET_TRY(for_each_reused_text(lines.reused(), [&](const ReusedText& text) {...}));
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <vector>

#include "spans/span_lines.h"

namespace twinset {

struct ReusedText {
  DocumentId document;
  std::vector<ReusedStretch> stretches;  ///< in order, apart from each other
  std::uint64_t tokens() const {
    std::uint64_t sum = 0;
    for (const ReusedStretch& stretch : stretches) sum += stretch.end - stretch.begin;
    return sum;
  }
};

/// Gives the texts in input order.
class ReusedTexts {
 public:
  explicit ReusedTexts(RowCursor<ReusedStretch>& rows) : rows_(rows) {}
  /// False at the end.
  Result<bool> next(ReusedText& text);

 private:
  RowCursor<ReusedStretch>& rows_;
};

Status for_each_reused_text(const ReusedRows& rows,
                            const std::function<Status(const ReusedText& text)>& use);

}  // namespace twinset
