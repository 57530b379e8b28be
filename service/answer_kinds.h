// The kinds of answers whose members differ: kinds_of() of route.h.
//
// Threads: pure functions.
#pragma once

#include <array>
#include <vector>

#include "route.h"
#include "twinset/browse.h"
#include "twinset/filter.h"
#include "twinset/hits.h"

namespace twinset::service {

template <>
inline std::vector<FilterAnswer> kinds_of<FilterAnswer>() {
  return {{}, {.prototype = IndexHit()}};
}

/// The best one of a group is not told to be like itself.
template <>
inline std::vector<GroupedHits> kinds_of<GroupedHits>() {
  std::vector<GroupedHits> kinds(1);
  std::vector<GroupedHit>& members = kinds.front().groups.emplace_back().members;
  members.resize(2);
  members.front().best = true;
  return kinds;
}

/// By what became of it, and in clusters of pairs by what it is a copy of.
template <>
inline std::vector<BrowsedRecord> kinds_of<BrowsedRecord>() {
  std::vector<BrowsedRecord> kinds(8);
  kinds[0].explanation.fate = Explanation::Fate::kept;
  kinds[1].explanation.fate = Explanation::Fate::removed;
  kinds[2].explanation.fate = Explanation::Fate::filtered;
  constexpr std::array copies{RemovalKind::identical, RemovalKind::lexical, RemovalKind::shingles,
                              RemovalKind::near, RemovalKind::contained};
  for (std::size_t i = 0; i < copies.size(); ++i) {
    kinds[3 + i].explanation.fate = Explanation::Fate::clustered;
    ClusterPlace& place = kinds[3 + i].explanation.cluster.emplace();
    place.documents = 1;
    place.copy_kind = copies[i];
  }
  return kinds;
}

}  // namespace twinset::service
