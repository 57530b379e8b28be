// judge, with the page on which to judge if one is drawn.
//
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "judge/judged_file.h"
#include "judge/sample.h"
#include "twinset/judge.h"
#include "twinset/pair.h"
#include "twinset/result.h"

namespace twinset {

/// A pair or label as drawn: its HTML, and its facts with the beginning of its line up to the
/// verdict.
struct PagePair {
  std::string html;
  std::string json;
};

/// Draws the page, a pair at a time; the functions are in faces/.
struct JudgePage {
  PagePair (*draw_pair)(const SamplePair& pair, const ComparedTexts& texts, std::uint64_t number,
                        const JudgedHeader& header);
  /// `file` is the name under which the browser saves.
  std::string (*draw)(const JudgedHeader& header, std::span<const PagePair> pairs,
                      const std::string& judge, const std::string& file);
};

/// As judge(); `page` draws the page that the options ask for.
Result<JudgedTables> run_judge(const JudgeOptions& options, JudgeDesk& desk,
                               const RunControl& control, const JudgePage& page);

}  // namespace twinset
