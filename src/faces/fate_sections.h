// What became of the records of a run of dedup, as sections of facts: in all, and in each input.
//
//   facts.sections.push_back(totals_section(summary));
//   facts.sections.push_back(files_section(summary, [](std::string_view file) { ... }));
//
// Threads: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "faces/facts.h"
#include "twinset/dedup.h"

namespace twinset {

/// If there are more files, those that lost most are listed.
inline constexpr std::size_t most_listed_files = 200;

Section totals_section(const DedupSummary& summary);
/// `name_of`: how the facts name a file.
Section files_section(const DedupSummary& summary,
                      const std::function<std::string(std::string_view file)>& name_of);

}  // namespace twinset
