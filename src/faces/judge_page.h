// A page on which to judge: the front end of reports (page.h) with the sampled pairs as its facts.
// It keeps the verdicts in the browser and saves them as a judged file.
//
//   std::string page = judge_page(header, pairs, "ann", "x.judged");
//
// Safe with any text, as every page is.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "judge/judge_run.h"

namespace twinset {

PagePair page_pair(const SamplePair& pair, const ComparedTexts& texts, std::uint64_t number,
                   const JudgedHeader& header);

/// `file` is the name under which the browser saves.
std::string judge_page(const JudgedHeader& header, std::span<const PagePair> pairs,
                       const std::string& judge, const std::string& file);

}  // namespace twinset
