// The verdict on one message: what is asked of an index of prototypes, and what the answer says.
//
//   const QuerySettings query = message_query(settings);
//   TWINSET_ASSIGN(const FilterAnswer answer, judge_message(finder, view, query));
//
// Threads: pure functions; a finder belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "index/find.h"
#include "scheme/record_view.h"
#include "twinset/filter.h"
#include "twinset/result.h"

namespace twinset {

/// What has fewer is no prototype, and not known: nothing is like what has none.
inline std::uint64_t least_tokens(const MessageSettings& settings) {
  return std::max<std::uint64_t>(settings.min_tokens, 1);
}

inline FilterAnswer too_few_tokens() {
  return {FilterVerdict::unknown, WhyUnknown::few_tokens, {}};
}

/// The settings of a query for the likest prototype.
QuerySettings message_query(const MessageSettings& settings);

/// Of a message of at least least_tokens(). Error (io): the index is damaged.
Result<FilterAnswer> judge_message(IndexFinder& finder, const RecordView& view,
                                   const QuerySettings& query);

}  // namespace twinset
