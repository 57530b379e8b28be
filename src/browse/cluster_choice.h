// The clusters that ClustersOptions ask for, in their order.
//
//   TWINSET_ASSIGN(const RowOrder order, choose_clusters(table, options, cancel));
//   order.rows.front();                                  // the first of them, from 0
//
// Threads: pure functions.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "browse/cluster_table.h"
#include "browse/order_cache.h"
#include "twinset/browse.h"
#include "twinset/result.h"

namespace twinset {

/// Is `searched` in `text`? Large and small letters of ASCII are the same. `lowered` is the
/// searched text in small letters.
bool has_text(std::string_view text, std::string_view lowered, std::string& room);
/// In small letters of ASCII.
std::string lowered(std::string_view text);

/// Errors (usage): the options contradict each other. O(clusters), and O(documents) with a search
/// or a source.
Result<RowOrder> choose_clusters(const ClusterTable& table, const ClustersOptions& options,
                                 const std::atomic<bool>* cancel = nullptr);

/// Equal for options that ask for the same clusters in the same order.
std::string choice_key(const ClustersOptions& options);

}  // namespace twinset
