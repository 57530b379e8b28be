// Histograms as inline SVG: no script, no font, colors by class from the page's style sheet; every
// number can also be read as text.
//
//   append_chart(out, histogram);
//
// Threads: pure functions.
#pragma once

#include <string>

#include "faces/facts.h"

namespace twinset {

/// Appends a <figure> with the bars and the same numbers as a table. Each bar has a count for
/// every series.
void append_chart(std::string& out, const Histogram& chart);

}  // namespace twinset
