// The first view of a finished run: the facts of its report, or those that its summary and its
// clusters tell.
//
//   TWINSET_ASSIGN(const std::string json, overview_json(files, run, {&table, &texts, cancel}));
//
// Threads: pure functions.
#pragma once

#include <atomic>
#include <string>

#include "browse/cluster_table.h"
#include "browse/finished_run.h"
#include "browse/shown_texts.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// What a folder has beside its summary; null: it has no clusters.
struct OverviewParts {
  const ClusterTable* table = nullptr;
  const ShownTexts* texts = nullptr;
  const std::atomic<bool>* cancel = nullptr;  ///< ends the making, with an Error (interrupted)
};

/// report.json of the folder, if that is a report of this version; else one made now.
Result<std::string> overview_json(FileSystem& files, const FinishedRun& run,
                                  const OverviewParts& parts);

}  // namespace twinset
