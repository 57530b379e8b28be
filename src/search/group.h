// The hits of a search in groups (twinset/hits.h).
//
//   TWINSET_ASSIGN(const GroupRules rules, group_rules(settings));
//   TWINSET_ASSIGN(const GroupedHits grouped, group_list(snapshot, list, rules, cache, cancel));
//
// Threads: any, each with a cache of its own.
#pragma once

#include <atomic>
#include <string>

#include "index/snapshot.h"
#include "run/keep_rule.h"
#include "search/shingle_cache.h"
#include "twinset/hits.h"
#include "twinset/result.h"

namespace twinset {

/// More hits are no list for a person, and are refused.
inline constexpr std::size_t most_hits = 100'000;

/// Checked settings.
struct GroupRules {
  GroupSettings settings;
  KeepRule best;
  std::string access_field;                ///< empty: all is seen by all
  std::vector<std::string> access_values;  ///< of an asker whose list does not say them
};

/// Error (usage) names the setting.
Result<GroupRules> group_rules(const GroupSettings& settings);

/// What a process that stays keeps of the texts it has compared; of one snapshot.
inline constexpr std::uint64_t shingle_cache_bytes = std::uint64_t{256} << 20;

/// The answer does not depend on what `cache` has. `cancel` may be null.
Result<GroupedHits> group_list(const IndexSnapshot& snapshot, const HitList& list,
                               const GroupRules& rules, ShingleCache& cache,
                               const std::atomic<bool>* cancel);

}  // namespace twinset
