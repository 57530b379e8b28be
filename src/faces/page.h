// The page of a report: one self-contained file that needs no network, no script and no font,
// in light or dark, on a screen, a phone or paper.
//
//   Result<ReportFacts> facts = read_report_facts(json, "report.json");   // facts.h
//   std::string page = report_page(facts.value());
//
// Safe with anything in the facts: every string is escaped for its place (visible.h), and the page
// forbids itself scripts and requests. It draws any section and knows no verbs.
//
// Threads: a pure function.
#pragma once

#include <string>

#include "faces/facts.h"

namespace twinset {

/// The page, of a size in proportion to the facts. Elements of a section have ids such as
/// "largest-3".
std::string report_page(const ReportFacts& facts);

}  // namespace twinset
