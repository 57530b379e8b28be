// The HTML report: one self-contained file that needs no network, no script and
// no font, in light or dark, on a screen, a phone or paper.
//
//   Report report = ...;                      // report.h
//   std::string page = html_report(report);   // write it where you like
//
// Safe with anything in the collection: every string is escaped for its place
// (visible.h), and the page forbids itself scripts and requests.
//
// Threads: a pure function.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace twinset {

/// Files listed in the table; of more, those that lost most are shown.
inline constexpr std::size_t most_listed_files = 200;

/// The page. Its size is bounded by the constants of report/ and by what is in
/// `report.pairs` and the lists of clusters.
std::string html_report(const Report& report);

}  // namespace twinset
