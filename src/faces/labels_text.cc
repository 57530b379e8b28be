// What a file of labels holds, in a line. This file's interface is to_text() of twinset/labels.h.
#include "twinset/labels.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {

std::string to_text(const LabelsSummary& summary) {
  return format_count(summary.chunks, "chunk", "chunks") + " and " +
         format_count(summary.files, "file", "files") + ", made by " + visible_text(summary.rules) +
         "; content " + summary.hash + "\n";
}

}  // namespace twinset
