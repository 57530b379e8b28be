// The templates that a run left out of its pages, as sections of a report; to_text() of
// twinset/collection.h has them in a line.
//
//   add_template_sections(*summary.templates, report.facts);
//
// Threads: pure functions.
#pragma once

#include "faces/facts.h"
#include "twinset/collection.h"

namespace twinset {

/// Adds the sections to a report.
void add_template_sections(const TemplateFacts& facts, ReportFacts& report);

}  // namespace twinset
