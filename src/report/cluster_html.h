// The HTML report of clusters: what was found, how large, which are the largest and of
// what shape, what they have in common, and the pairs a doubter asks for. As html.h: one
// self-contained file, no script, safe with anything in the collection.
//
//   ClusterReport report = ...;                       // cluster_report.h
//   std::string page = cluster_html_report(report);   // write it where you like
//
// Threads: a pure function.
#pragma once

#include <cstddef>
#include <string>

#include "report/cluster_report.h"

namespace twinset {

/// Common shingles in the table; all that are known are in summary.json.
inline constexpr std::size_t most_listed_shingles = 30;

/// The page. Its size is bounded by the constants of report/ and by what is listed.
std::string cluster_html_report(const ClusterReport& report);

}  // namespace twinset
