// The frequency-occurrence graph of paper 004 (Figures 1, 2 and 11): how many distinct objects were
// seen so often, on logarithmic axes.
//
// Threads: a pure function.
#pragma once

#include <string>

#include "discover/discover_run.h"

namespace twinset {

/// A self-contained SVG, readable on light and on dark ground: files to the left, chunks to the
/// right, each with its threshold as a line; objects that became labels in another color. Its size
/// does not grow with the collection.
std::string frequency_plot(const DiscoverFindings& found);

}  // namespace twinset
