// `compare` and `explain` for a terminal.
//
//   out = compare_text(compare_texts(a, b).value(), {.color = is_terminal});
//
// Marks work without color, as wdiff's do: [-only in A-] {+only in B+}
// [~1 stands elsewhere in B ~] {~1 stands elsewhere in A ~}. With `color` they
// are colored too. Nothing in the documents reaches the terminal as a control.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/look.h"
#include "twinset/pair.h"

namespace twinset {

struct TextOptions {
  bool color = false;
  bool passages = true;             ///< false: the numbers only
  std::size_t max_bytes = 200'000;  ///< of passages; what is left out is counted
};

/// The numbers, a legend of the marks used, the passages with context, and the notes.
std::string compare_text(const ComparedTexts& texts, const TextOptions& options);

/// The legend and the passages alone.
std::string passages_text(const ComparedTexts& texts, const TextOptions& options);

/// "in.jsonl, record 1,009", safe for a terminal.
std::string place_text(const RecordName& name);
/// "doc-9  (in.jsonl, record 1,009)".
std::string name_text(const RecordName& name);

/// A record of a folder that dedup made.
std::string explain_text(const Explanation& explanation, const TextOptions& options);

}  // namespace twinset
