// The analyzers of src/text/analyzers, as CMake lists them: a file x.cc there
// defines `extern const AnalyzerEntry x_analyzer`.
//
// Threads: constants.
#pragma once

#include <cstdint>
#include <span>

#include "text/analyzer.h"
#include "twinset/scheme.h"

namespace twinset {

struct AnalyzerEntry {
  const Analyzer& analyzer;
  /// Integers and choices; none of most analyzers.
  std::span<const ParameterDeclaration> parameters = {};
  /// The analyzer with these values, in the order of `parameters`: a constant, as `analyzer` is.
  const Analyzer& (*with)(std::span<const std::uint64_t> values) = nullptr;
};

/// Generated from the folder (cmake/lists.cmake).
std::span<const AnalyzerEntry* const> listed_analyzers();

}  // namespace twinset
