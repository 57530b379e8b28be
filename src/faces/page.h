// The page of a report: one self-contained file that needs no network and no font. Its script draws
// the facts that are in the page; without scripts, the page has the numbers, tables, lists and
// pairs as plain HTML.
//
//   Result<ReportFacts> facts = read_report_facts(json, "report.json");   // facts.h
//   std::string page = report_page(facts.value());
//
// Safe with anything in the facts: in HTML every string is escaped for its place (visible.h), in
// the block of facts every < is \u003c, and the page's policy lets nothing run but the script
// whose hash it names. It shows any section and knows no verbs. twinset/page.h has the page of a
// service.
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "faces/facts.h"
#include "twinset/page.h"

namespace twinset {

/// The page, of a size in proportion to the facts. Elements of a section have ids such as
/// "largest-3".
std::string report_page(const ReportFacts& facts);

/// A page around other facts, as JSON; `plain`, HTML, is there for a reader without scripts.
std::string facts_page(std::string_view title, std::string_view plain, std::string_view json);

}  // namespace twinset
