// The analyzers of src/text/analyzers, as CMake lists them: a file x.cc there
// defines `extern const AnalyzerEntry x_analyzer`.
//
// Threads: constants.
#pragma once

#include <span>

#include "text/analyzer.h"

namespace twinset {

struct AnalyzerEntry {
  const Analyzer& analyzer;
};

/// Generated from the folder (cmake/lists.cmake).
std::span<const AnalyzerEntry* const> listed_analyzers();

}  // namespace twinset
