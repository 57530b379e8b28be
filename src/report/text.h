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

#include "join/fate.h"
#include "report/facts.h"
#include "twinset/pair.h"

namespace twinset {

struct TextOptions {
  bool color = false;
  bool passages = true;             ///< false: the numbers only
  double threshold = 0;             ///< shares at or above it are not shown below it
  std::size_t max_bytes = 200'000;  ///< of passages; what is left out is counted
};

/// The numbers, a legend of the marks used, the passages with context, and the notes.
std::string compare_text(const ComparedTexts& texts, const TextOptions& options);

/// A removed record, and how alike it is to its survivor.
struct ReportMember {
  ReportDocument document;
  Fate kind = Fate::near;
  double resemblance = 0;
  double containment = 0;  ///< in the survivor

  /// The measure it went by.
  double evidence() const { return kind == Fate::contained ? containment : resemblance; }
};

/// The fate of one record, for `explain`.
struct Explanation {
  Fate fate = Fate::kept;  ///< kept, bad, filtered, or a removed one
  bool reference = false;  ///< kept because nothing of its input is written or removed
  ReportDocument document;
  std::string reason;  ///< of filtered and quarantined

  // Removed: by what, and how alike.
  ReportDocument survivor;
  double resemblance = 0;
  double containment = 0;              ///< of the record in its survivor
  double survivor_containment = 0;     ///< of the survivor in the record
  bool exact = true;                   ///< false: the numbers are a sketch's estimates
  std::optional<ComparedTexts> texts;  ///< survivor, record; if both could be read again

  // Kept: what it stands for.
  std::uint64_t members = 0;           ///< records that went because of it
  std::vector<ReportMember> examples;  ///< as many of them as are to be listed

  std::vector<std::string> notes;  ///< what a reader must know of the answer, a sentence each
};

std::string explain_text(const Explanation& explanation, const TextOptions& options);

}  // namespace twinset
