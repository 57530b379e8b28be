// This file's interface is search/lookup.h.
#include "search/lookup.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "index/find.h"
#include "run/shares.h"
#include "search/index.h"
#include "system/context.h"

namespace twinset {
namespace {

/// Documents whose keys are read at once.
constexpr std::size_t most_read_at_once = 65'536;

class ClusterWalk {
 public:
  ClusterWalk(const IndexSnapshot& snapshot, const LookupSettings& settings,
              const std::atomic<bool>* cancel)
      : snapshot_(snapshot), settings_(settings), cancel_(cancel), finder_(snapshot, cancel) {}

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
    query_.copies_once = true;
    const Check check = query_.exact ? Check::exact : Check::sketch;
    query_.floor = {settings_.resemblance, settings_.containment};
    query_.floor.least_keys = least_keys(scheme, check);
    query_.floor.kind = link_kind(check, scheme.counts_keys(), scheme.declaration().tells);
    query_.floor.distance = snapshot_.manifest().settings.distance;
    TWINSET_ASSIGN(const bool told, sketches_tell_keys(snapshot_, query_.scheme));
    reads_keys_ = !told && !texts;
    return {};
  }

  /// The documents whose clusters are asked for next, in order.
  void expect(std::vector<IndexPlace> places) {
    expected_ = std::move(places);
    std::ranges::reverse(expected_);
  }

  /// The cluster of a document, by place, itself always included; nothing if an earlier walk was in
  /// the same one.
  Result<std::vector<IndexPlace>> from(IndexPlace place, bool& whole) {
    std::set<IndexPlace> found{place};
    std::vector<IndexPlace> open{place};
    bool is_new = !walked_.contains(place);
    const auto reach = [&](IndexPlace other) {
      if (found.insert(other).second) open.push_back(other);
      is_new = is_new && !walked_.contains(other);
    };
    while (is_new && !open.empty()) {
      const std::vector<IndexPlace> level = std::exchange(open, {});
      if (reads_keys_) TWINSET_TRY(read_keys(level));
      for (const IndexPlace next : level) {
        if (!is_new || is_cut(found.size())) break;
        TWINSET_TRY(check_stop(cancel_));
        TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(next));
        // Of copies one knows the pairs of all. Texts without tokens are no copies of each other.
        if (document.tokens == 0 || !asked_.insert(document.tokens_hash).second) continue;
        TWINSET_ASSIGN(const auto copies, snapshot_.find_tokens(document.tokens_hash));
        for (const IndexPlace copy : copies) {
          if (!snapshot_.is_hidden(copy)) reach(copy);
        }
        TWINSET_TRY(finder_.pairs(next, query_, stored_keys(),
                                  [&](IndexPlace other, const Overlap&) -> Status {
                                    reach(other);
                                    return {};
                                  }));
      }
      if (is_cut(found.size())) break;
    }
    walked_.insert(found.begin(), found.end());
    if (!is_new) return std::vector<IndexPlace>();
    whole = !is_cut(found.size());
    std::vector<IndexPlace> members(found.begin(), found.end());
    if (!whole) {
      members.resize(static_cast<std::size_t>(settings_.top));
      members.back() = std::max(members.back(), place);
    }
    return members;
  }

 private:
  /// The keys of some documents, and of those that are asked for next, in one pass over each of
  /// their segments.
  Status read_keys(std::vector<IndexPlace> places) {
    if (keys_.size() > 2 * most_read_at_once) keys_.clear();
    std::erase_if(places, [this](IndexPlace place) { return keys_.contains(place); });
    if (places.empty()) return {};
    while (!expected_.empty() && places.size() < most_read_at_once) {
      places.push_back(expected_.back());
      expected_.pop_back();
    }
    std::map<std::uint32_t, std::vector<bool>> asked;  // By segment.
    for (const IndexPlace place : places) {
      keys_[place].clear();
      std::vector<bool>& of = asked[place.segment];
      of.resize(static_cast<std::size_t>(snapshot_.parts()[place.segment].segment->documents()));
      of[place.number] = true;
    }
    for (const auto& [segment, is_asked] : asked) {
      const auto take = [this, part = segment, &of = is_asked](const Posting& row) {
        if (!of[static_cast<std::size_t>(row.document)]) return;
        keys_[{part, static_cast<std::uint32_t>(row.document)}].push_back(row.whole_key());
      };
      TWINSET_TRY(for_each_row(snapshot_.parts()[segment].segment->keys(query_.scheme), take));
    }
    return {};
  }

  /// null: sketches or texts tell them.
  StoredKeys stored_keys() const {
    if (!reads_keys_) return nullptr;
    return [this](IndexPlace place, std::vector<std::uint64_t>& keys) -> Status {
      const auto found = keys_.find(place);
      keys.clear();
      if (found != keys_.end()) keys = found->second;
      return {};
    };
  }

  bool is_cut(std::size_t documents) const {
    return settings_.top != 0 && documents > settings_.top;
  }

  const IndexSnapshot& snapshot_;
  const LookupSettings& settings_;
  const std::atomic<bool>* cancel_;
  IndexFinder finder_;
  PairQuery query_;
  bool reads_keys_ = false;  ///< neither sketches nor texts tell them
  std::map<IndexPlace, std::vector<std::uint64_t>> keys_;
  std::vector<IndexPlace> expected_;  ///< the next one last
  std::set<Fingerprint> asked_;       ///< the tokens of documents whose pairs were asked for
  std::set<IndexPlace> walked_;       ///< the documents of all walks
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
                            const LookupSettings& settings, const std::atomic<bool>* cancel) {
  TWINSET_TRY(check_shares(settings.resemblance, settings.containment));
  ClusterWalk walk(snapshot, settings, cancel);
  TWINSET_TRY(walk.set_up());
  IndexLookup lookup;
  lookup.name = name;
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, places_of(snapshot, name));
  walk.expect(places);
  for (const IndexPlace place : places) {
    TWINSET_ASSIGN(IndexDocument document, snapshot.named(place));
    lookup.documents.push_back(std::move(document));
    // A removed document leads to its survivor, and is in no cluster.
    if (snapshot.is_hidden(place)) continue;
    IndexCluster cluster;
    TWINSET_ASSIGN(const std::vector<IndexPlace> members, walk.from(place, cluster.whole));
    for (const IndexPlace member : members) {
      TWINSET_ASSIGN(IndexDocument named, snapshot.named(member));
      cluster.documents.push_back(std::move(named));
    }
    if (!members.empty()) lookup.clusters.push_back(std::move(cluster));
  }
  return lookup;
}

}  // namespace twinset
