// What an index knows of a URL or an id: its documents, and all that pairs connect with them (B
// 4.2).
//
//   TWINSET_ASSIGN(const IndexLookup found, look_up(snapshot, "http://a.org/x", {}));
//
// Clusters are found from the document outwards: each of its pairs, their pairs, and so on. So the
// work grows with the cluster and not with the index.
//
// Threads: pure functions of a snapshot.
#pragma once

#include <string_view>

#include "index/snapshot.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// Errors: as Index::lookup().
Result<IndexLookup> look_up(const IndexSnapshot& snapshot, std::string_view name,
                            const LookupSettings& settings, const std::atomic<bool>* cancel);

}  // namespace twinset
