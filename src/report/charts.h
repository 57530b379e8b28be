// Histograms as inline SVG: no script, no font, colors by class from the page's
// style sheet, every number also readable as text.
//
//   Chart chart{"Clusters by size", "records in the cluster", "clusters", bars};
//   append_chart(out, chart);
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"

namespace twinset {

/// One bar; `second` stands on top of `first` in the other color.
struct ChartBar {
  std::string label;       ///< below the bar
  std::string long_label;  ///< in the tooltip and the table
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

struct Chart {
  std::string title;
  std::string across;  ///< what the bars' labels are
  std::string up;      ///< what is counted
  std::string first_name;
  std::string second_name;  ///< empty: one color
  std::vector<ChartBar> bars;
  bool logarithmic = false;  ///< heights by logarithm; counts are written on the bars
};

/// Bars of cluster sizes, in powers of two.
Chart cluster_size_chart(const SizeHistogram& histogram);

/// Bars of resemblance, near below and contained above, from the lowest that
/// occurs to exactly 1; at most 26 of them.
Chart resemblance_chart(const ResemblanceHistogram& near, const ResemblanceHistogram& contained);

/// Appends a <figure> with the chart and the same numbers as a table.
void append_chart(std::string& out, const Chart& chart);

}  // namespace twinset
