// spans over a collection, with a report if one is drawn.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include "join/documents.h"
#include "run/job.h"
#include "run/record_files.h"
#include "run/run_verb.h"
#include "spans/span_facts.h"
#include "twinset/result.h"
#include "twinset/spans.h"

namespace twinset {

/// What a run has found when its report is drawn.
struct SpansFindings {
  const Job& job;
  const SpansOptions& options;
  const RecordFiles& records;
  const DocumentTable& documents;
  const SpanFacts& facts;
  const SpansSummary& summary;
};

/// As spans(); `draw` makes the report that the options ask for.
Result<SpansSummary> run_spans(const SpansOptions& options, const RunControl& control,
                               DrawReport<SpansFindings> draw);

}  // namespace twinset
