// The hits of a search in groups (twinset/hits.h).
//
//   TWINSET_ASSIGN(const GroupRules rules, group_rules(settings));
//   TWINSET_ASSIGN(const GroupedHits grouped, group_list(snapshot, list, rules, cancel));
//
// Threads: any.
#pragma once

#include <atomic>
#include <string>

#include "index/snapshot.h"
#include "run/keep_rule.h"
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

/// `cancel` may be null.
Result<GroupedHits> group_list(const IndexSnapshot& snapshot, const HitList& list,
                               const GroupRules& rules, const std::atomic<bool>* cancel);

}  // namespace twinset
