// This file's interface is search/lookup.h.
#include "search/lookup.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "index/find.h"
#include "search/index.h"

namespace twinset {
namespace {

/// Shares of nothing are refused, as cluster() does.
Status check(const LookupSettings& settings) {
  if (settings.resemblance.numerator() == 0) {
    return usage_error(option("resemblance", "0") + " would make everything a copy of everything");
  }
  if (settings.containment.has_value() && settings.containment->numerator() == 0) {
    return usage_error(option("containment", "0") + " would make everything part of everything");
  }
  return {};
}

class ClusterWalk {
 public:
  ClusterWalk(const IndexSnapshot& snapshot, const LookupSettings& settings)
      : snapshot_(snapshot), settings_(settings), finder_(snapshot) {}

  /// Chooses what decides a pair.
  Status set_up() {
    const Scheme& scheme = *snapshot_.signer().schemes().front().scheme;
    const bool texts = snapshot_.manifest().settings.texts;
    query_.exact = texts && !settings_.sketches && !scheme.makes_signatures();
    query_.max_group = settings_.max_group;
    if (!query_.exact && scheme.declaration().tells == Tells::nothing) {
      return usage_error("the sketches of scheme " + scheme.spec() +
                         " do not tell how alike two documents are, and they decide here");
    }
    query_.floor = {settings_.resemblance, settings_.containment};
    query_.floor.kind = link_kind(query_.exact ? Check::exact : Check::sketch, scheme.counts_keys(),
                                  scheme.declaration().tells);
    query_.floor.distance = snapshot_.manifest().settings.distance;
    return {};
  }

  /// The cluster of a document, by place.
  Result<std::set<IndexPlace>> from(IndexPlace place, bool& whole) {
    std::set<IndexPlace> found{place};
    std::vector<IndexPlace> open{place};
    const auto reach = [&](IndexPlace other) {
      if (found.insert(other).second) open.push_back(other);
    };
    while (!open.empty() && (settings_.top == 0 || found.size() <= settings_.top)) {
      const IndexPlace next = open.back();
      open.pop_back();
      TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(next));
      if (document.tokens == 0) continue;
      TWINSET_ASSIGN(const auto copies, snapshot_.find_tokens(document.tokens_hash));
      for (const IndexPlace copy : copies) {
        if (!snapshot_.is_hidden(copy)) reach(copy);
      }
      // Of copies one knows the pairs of all.
      if (!copies.empty() && !asked_.insert(copies.front()).second) continue;
      TWINSET_TRY(
          finder_.pairs(next, query_, nullptr, [&](IndexPlace other, const Overlap&) -> Status {
            reach(other);
            return {};
          }));
    }
    whole = settings_.top == 0 || found.size() <= settings_.top;
    return found;
  }

 private:
  const IndexSnapshot& snapshot_;
  const LookupSettings& settings_;
  IndexFinder finder_;
  PairQuery query_;
  std::set<IndexPlace> asked_;  ///< the first of each group of copies
};

/// All documents of an id as people write it, or else of a URL.
Result<std::vector<IndexPlace>> places_of(const IndexSnapshot& snapshot, std::string_view name) {
  TWINSET_ASSIGN(const std::optional<IndexPlace> of_id, find_named(snapshot, name, false));
  std::vector<IndexPlace> places;
  if (of_id.has_value()) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot.document(*of_id));
    TWINSET_ASSIGN(places, snapshot.find_ids(document.id));
  } else {
    TWINSET_ASSIGN(places, snapshot.find_url(name));
  }
  return places;
}

}  // namespace

Result<IndexLookup> look_up(const IndexSnapshot& snapshot, std::string_view name,
                            const LookupSettings& settings) {
  TWINSET_TRY(check(settings));
  ClusterWalk walk(snapshot, settings);
  TWINSET_TRY(walk.set_up());
  IndexLookup lookup;
  lookup.name = name;
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, places_of(snapshot, name));
  std::set<IndexPlace> seen;
  for (const IndexPlace place : places) {
    TWINSET_ASSIGN(IndexDocument document, snapshot.named(place));
    lookup.documents.push_back(std::move(document));
    // A removed document leads to its survivor, and is in no cluster.
    if (snapshot.is_hidden(place) || seen.contains(place)) continue;
    IndexCluster cluster;
    TWINSET_ASSIGN(const std::set<IndexPlace> members, walk.from(place, cluster.whole));
    for (const IndexPlace member : members) {
      if (settings.top != 0 && cluster.documents.size() == settings.top) break;
      seen.insert(member);
      TWINSET_ASSIGN(IndexDocument named, snapshot.named(member));
      cluster.documents.push_back(std::move(named));
    }
    lookup.clusters.push_back(std::move(cluster));
  }
  return lookup;
}

}  // namespace twinset
