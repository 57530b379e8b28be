// The counts of sketch and join for a terminal. This file's interface is to_text() of
// twinset/sketch.h.
#include "faces/run_text.h"
#include "twinset/sketch.h"
#include "words/numbers.h"

namespace twinset {

std::string to_text(const SketchSummary& summary) {
  std::string text = format_count(summary.documents, "document", "documents") + " of " +
                     format_count(summary.read, "record", "records") + "\n";
  for (std::size_t i = 0; i < summary.schemes.size(); ++i) {
    text += count_line(summary.documents - summary.without[i].total(),
                       "with a signature of " + summary.schemes[i]);
    text += without_signature_line(summary.without[i]);
  }
  return text;
}

std::string to_text(const JoinSummary& summary) {
  return format_count(summary.pairs, "pair", "pairs") + " in " + format_count(summary.lines) +
         " lines, " + format_count(summary.without) + " of them without a signature\n";
}

}  // namespace twinset
