// The analyzers of src/text/analyzers, as CMake lists them: a file x.cc there
// defines `extern const AnalyzerEntry x_analyzer`.
//
// Threads: constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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

/// The name of an analyzer with these values: "words(min_chars=4)", without those at their
/// defaults.
std::string analyzer_name(std::string_view name, std::span<const ParameterDeclaration> parameters,
                          std::span<const std::uint64_t> values);

/// Generated from the folder (cmake/lists.cmake).
std::span<const AnalyzerEntry* const> listed_analyzers();

}  // namespace twinset
