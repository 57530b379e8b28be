// dedup over a collection of any kind.
//
// Threads: one call at a time; a call uses the options' threads.
#pragma once

#include <memory>

#include "collection/collection.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// As dedup(), over `collection` in place of the options' inputs; makes no file, like dedup() over
/// columns. Null: over the options' inputs.
Result<DedupSummary> dedup_collection(std::shared_ptr<Collection> collection,
                                      const DedupOptions& options, const RunControl& control,
                                      const DedupResults& results);

}  // namespace twinset
