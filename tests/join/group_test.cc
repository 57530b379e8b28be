// The rules of twinset/group.h over any ordered place, and over the rows of a collection in any
// number of shards: dedup's own answers. Only the public shelf makes the rows and judges the pairs.
#include "twinset/group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support_runs/job_testing.h"
#include "twinset/dedup.h"
#include "twinset/pair.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(Fold, TheFirstStandsForTheOthers) {
  struct TextRow {
    std::string place;
    int bytes;
  };
  const std::vector<TextRow> rows{{"a", 1}, {"b", 2}, {"c", 1}};
  std::vector<std::tuple<std::string, std::string, CopyKind>> copies;
  const auto take = [&](const TextRow& copy, const TextRow& first, CopyKind kind) {
    copies.emplace_back(copy.place, first.place, kind);
  };
  const auto bytes = [](const TextRow& row) { return row.bytes; };
  fold(std::span(rows), bytes, take);
  EXPECT_EQ(copies, (std::vector<std::tuple<std::string, std::string, CopyKind>>{
                        {"b", "a", CopyKind::lexical}, {"c", "a", CopyKind::identical}}));
  copies.clear();
  fold(std::span(rows).first(1), bytes, take);
  fold(std::span(rows).first(0), bytes, take);
  EXPECT_TRUE(copies.empty());
}

std::vector<std::pair<int, int>> pairs_of(const std::vector<int>& group, int protected_below) {
  std::vector<std::pair<int, int>> pairs;
  pair(
      std::span(group), [&](int place) { return place < protected_below; },
      [&](int later, int earlier) { pairs.emplace_back(later, earlier); });
  return pairs;
}

TEST(Pair, LeadersAndTheOneBefore) {
  EXPECT_TRUE(pairs_of({}, 0).empty());
  EXPECT_TRUE(pairs_of({7}, 0).empty());
  EXPECT_EQ(pairs_of({1, 2, 3}, 0), (std::vector<std::pair<int, int>>{{2, 1}, {3, 1}, {3, 2}}));
  const auto seven = pairs_of({1, 2, 3, 4, 5, 6, 7}, 0);
  EXPECT_EQ(std::set(seven.begin(), seven.end()).size(), seven.size());
  EXPECT_EQ(seven.size(), 6U + 4 + 5 + 5);
  EXPECT_EQ(seven.back(), std::pair(7, 6));
  // Protected documents are never the later ones, and lead beside the ordinary ones.
  EXPECT_TRUE(pairs_of({1, 2, 3}, 4).empty());
  EXPECT_EQ(pairs_of({1, 2, 3}, 3), (std::vector<std::pair<int, int>>{{3, 1}, {3, 2}}));
}

struct MadeEdge {
  std::string earlier;
  LinkState state;
};

TEST(Decide, StopsAtTheFirstEdgeThatMatters) {
  using Step = Decision::Step;
  std::map<std::string, EarlierFate> fates;
  const auto next = [&](const std::vector<MadeEdge>& edges) {
    const Decision made = decide(
        std::span(edges), [](const MadeEdge& edge) { return edge.state; },
        [&](const MadeEdge& edge) { return fates.at(edge.earlier); });
    return std::pair(made.step, made.edge);
  };
  fates = {{"a", EarlierFate::stays}, {"b", EarlierFate::removed}, {"c", EarlierFate::undecided}};
  EXPECT_EQ(next({}), std::pair(Step::keep, std::size_t{0}));
  EXPECT_EQ(next({{"a", LinkState::below}}), std::pair(Step::keep, std::size_t{1}));
  EXPECT_EQ(next({{"b", LinkState::reached}}), std::pair(Step::keep, std::size_t{1}));
  EXPECT_EQ(next({{"b", LinkState::unjudged}, {"a", LinkState::reached}}),
            std::pair(Step::remove, std::size_t{1}));
  EXPECT_EQ(next({{"a", LinkState::unjudged}}), std::pair(Step::judge, std::size_t{0}));
  EXPECT_EQ(next({{"c", LinkState::below}, {"c", LinkState::reached}, {"a", LinkState::reached}}),
            std::pair(Step::wait, std::size_t{1}));
}

TEST(Repair, PairsTheOneThatStaysWithTheSurvivorOfTheOther) {
  using Places = std::pair<std::string, std::string>;
  const std::optional<std::string> none;
  const std::optional<std::string> first = "a";
  const std::optional<std::string> last = "z";
  const auto asked = [](LinkState state, const std::optional<std::string>& of_later,
                        const std::optional<std::string>& of_earlier) {
    return repair<std::string>("k", "e", state, of_later, of_earlier);
  };
  EXPECT_EQ(asked(LinkState::reached, none, first), (Places{"k", "a"}));
  EXPECT_EQ(asked(LinkState::unjudged, none, last), (Places{"z", "k"}));
  EXPECT_EQ(asked(LinkState::unjudged, first, none), (Places{"e", "a"}));
  EXPECT_EQ(asked(LinkState::below, none, first), std::nullopt);
  EXPECT_EQ(asked(LinkState::reached, none, none), std::nullopt);
  EXPECT_EQ(asked(LinkState::reached, first, first), std::nullopt);
  EXPECT_EQ(asked(LinkState::reached, std::optional<std::string>("e"), none), std::nullopt);
}

/// Document i of the references, then of the others.
using DocumentPlace = std::uint64_t;

/// What becomes of a document, and the one that stays in its place.
struct Outcome {
  std::string kind;
  DocumentPlace survivor = 0;
  bool operator==(const Outcome&) const = default;
};
void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << outcome.kind << " for " << outcome.survivor;
}
using Outcomes = std::map<DocumentPlace, Outcome>;

const Ratio resemblance_wanted{3, 5};

/// Documents, deduplicated by the rules alone: every step works on the rows of one shard at a time.
class ShardedDedup {
 public:
  ShardedDedup(const std::vector<std::string>& texts, std::uint64_t references, std::size_t shards)
      : texts_(texts),
        references_(references),
        shards_(shards),
        scheme_(make_scheme("fss", "words", false, resemblance_wanted).value()) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    signed_ = scheme_.sign(views).value();
  }

  Outcomes run() {
    fold_copies();
    for (const auto& [later, earlier] : candidates()) add_edge(later, earlier);
    for (;;) {
      decide_all();
      bool added = false;
      for (const auto& [later, earlier] : repairs()) added = add_edge(later, earlier) || added;
      if (!added) break;
      ++rounds_;
    }
    return outcomes();
  }
  unsigned rounds() const { return rounds_; }
  unsigned waits() const { return waits_; }

 private:
  struct HashRow {
    Hash128 tokens;
    DocumentPlace place;
    auto operator<=>(const HashRow&) const = default;
  };
  struct KeyOfPlace {
    std::uint64_t key;
    DocumentPlace place;
    auto operator<=>(const KeyOfPlace&) const = default;
  };
  struct PlaceEdge {
    DocumentPlace earlier;
    LinkState state = LinkState::unjudged;
  };
  using Pairs = std::set<std::pair<DocumentPlace, DocumentPlace>>;

  /// Calls `use` with the rows of each group of equal keys, shard by shard.
  template <class Row, class KeyOf, class Use>
  void for_each_group(const std::vector<Row>& rows, const KeyOf& key_of, Use use) const {
    std::vector<std::vector<Row>> shards(shards_);
    for (const Row& row : rows)
      shards[std::hash<std::uint64_t>()(first(key_of(row))) % shards_].push_back(row);
    for (std::vector<Row>& shard : shards) {
      std::ranges::sort(shard);
      for (std::size_t begin = 0; begin < shard.size();) {
        std::size_t end = begin;
        while (end < shard.size() && key_of(shard[end]) == key_of(shard[begin])) ++end;
        use(std::span<const Row>(shard).subspan(begin, end - begin));
        begin = end;
      }
    }
  }
  static std::uint64_t first(std::uint64_t key) { return key; }
  static std::uint64_t first(const Hash128& hash) { return hash[0]; }

  void fold_copies() {
    std::vector<HashRow> rows;
    for (DocumentPlace i = 0; i < texts_.size(); ++i) rows.push_back({signed_.token_hashes[i], i});
    for_each_group(
        rows, [](const HashRow& row) { return row.tokens; },
        [&](std::span<const HashRow> group) {
          fold(
              group, [&](const HashRow& row) { return signed_.byte_hashes[row.place]; },
              [&](const HashRow& copy, const HashRow& first, CopyKind kind) {
                copies_[copy.place] = {kind == CopyKind::identical ? "identical" : "lexical",
                                       first.place};
              });
        });
  }

  Pairs candidates() const {
    std::vector<KeyOfPlace> rows;
    for (DocumentPlace i = 0; i < texts_.size(); ++i) {
      if (copies_.contains(i)) continue;
      for (const std::uint64_t key : signed_.keys_of(i)) rows.push_back({key, i});
    }
    Pairs pairs;
    for_each_group(
        rows, [](const KeyOfPlace& row) { return row.key; },
        [&](std::span<const KeyOfPlace> group) {
          std::vector<DocumentPlace> places;
          for (const KeyOfPlace& row : group) places.push_back(row.place);
          pair(
              std::span<const DocumentPlace>(places),
              [&](DocumentPlace place) { return place < references_; },
              [&](DocumentPlace later, DocumentPlace earlier) { pairs.emplace(later, earlier); });
        });
    return pairs;
  }

  /// True if the pair is new and its sketches do not rule it out.
  bool add_edge(DocumentPlace later, DocumentPlace earlier) {
    std::vector<PlaceEdge>& edges = edges_[later];
    const auto at = std::ranges::lower_bound(edges, earlier, {}, &PlaceEdge::earlier);
    if (at != edges.end() && at->earlier == earlier) return false;
    const Comparison found = scheme_.compare(signed_.sketch_of(later), signed_.sketch_of(earlier));
    const PairThreshold threshold{.resemblance = resemblance_wanted, .granted_errors = 4};
    if (verdict(found, threshold) == Verdict::below) return false;
    edges.insert(at, {earlier});
    return true;
  }

  LinkState judged(DocumentPlace later, DocumentPlace earlier) const {
    const ShingleCounts counts = count_shingles(texts_[later], texts_[earlier]).value();
    return resemblance_wanted.reached_by(counts.shared_shingles, counts.all_shingles())
               ? LinkState::reached
               : LinkState::below;
  }

  /// Each shard decides its documents as far as it can; then it is told the fates of the others.
  void decide_all() {
    removed_.clear();
    std::set<DocumentPlace> undecided;
    for (const auto& [later, edges] : edges_) {
      if (!edges.empty()) undecided.insert(later);
    }
    while (!undecided.empty()) {
      const std::set<DocumentPlace> known_undecided = undecided;
      const std::map<DocumentPlace, DocumentPlace> known_removed = removed_;
      const std::size_t before = undecided.size();
      for (std::size_t shard = 0; shard < shards_; ++shard) {
        const auto fate_of = [&](const PlaceEdge& edge) {
          const bool own = edge.earlier % shards_ == shard;
          const auto& waiting = own ? undecided : known_undecided;
          const auto& gone = own ? removed_ : known_removed;
          return waiting.contains(edge.earlier) ? EarlierFate::undecided
                 : gone.contains(edge.earlier)  ? EarlierFate::removed
                                                : EarlierFate::stays;
        };
        for (const DocumentPlace later : known_undecided) {
          if (later % shards_ == shard && decide_one(later, fate_of)) undecided.erase(later);
        }
      }
      ASSERT_LT(undecided.size(), before) << "the earliest document never waits";
    }
  }

  template <class FateOf>
  bool decide_one(DocumentPlace later, const FateOf& fate_of) {
    std::vector<PlaceEdge>& edges = edges_.at(later);
    for (;;) {
      const Decision next = decide(
          std::span<const PlaceEdge>(edges), [](const PlaceEdge& edge) { return edge.state; },
          fate_of);
      switch (next.step) {
        case Decision::Step::keep:
          return true;
        case Decision::Step::remove:
          removed_[later] = edges[next.edge].earlier;
          return true;
        case Decision::Step::judge:
          edges[next.edge].state = judged(later, edges[next.edge].earlier);
          break;
        case Decision::Step::wait:
          ++waits_;
          return false;
      }
    }
  }

  std::optional<DocumentPlace> survivor_of(DocumentPlace place) const {
    const auto at = removed_.find(place);
    return at == removed_.end() ? std::nullopt : std::optional(at->second);
  }

  Pairs repairs() const {
    Pairs asked;
    for (const auto& [later, edges] : edges_) {
      for (const PlaceEdge& edge : edges) {
        const auto found =
            repair(later, edge.earlier, edge.state, survivor_of(later), survivor_of(edge.earlier));
        if (found && found->first >= references_) asked.insert(*found);
      }
    }
    return asked;
  }

  /// A copy of a removed document goes for the same reason, and has the same survivor.
  Outcomes outcomes() const {
    Outcomes out;
    for (const auto& [place, survivor] : removed_) out[place] = {"near", survivor};
    for (const auto& [place, copy] : copies_) {
      if (place < references_) continue;
      const auto survivor = survivor_of(copy.survivor);
      out[place] = survivor ? Outcome{"near", *survivor} : copy;
    }
    return out;
  }

  const std::vector<std::string>& texts_;
  std::uint64_t references_;
  std::size_t shards_;
  TextScheme scheme_;
  SignedTexts signed_;
  Outcomes copies_;
  std::map<DocumentPlace, std::vector<PlaceEdge>> edges_;  ///< by later document
  std::map<DocumentPlace, DocumentPlace> removed_;         ///< with their survivors
  unsigned rounds_ = 0;
  unsigned waits_ = 0;
};

Outcomes of_dedup(const std::vector<std::string>& texts, std::uint64_t references) {
  const std::span<const std::string> all(texts);
  DedupOptions options;
  options.columns.emplace_back(all.subspan(references)).name = "others";
  if (references > 0) {
    options.columns.emplace_back(all.first(references)).name = "references";
    options.columns.back().reference = true;
  }
  options.resemblance = resemblance_wanted;
  set_small_memory(options, 2, std::uint64_t{256} << 20);
  Outcomes out;
  const auto place_of = [&](const NamedDocument& document) {
    return document.record - 1 + (document.file == "others" ? references : 0);
  };
  DedupResults results;
  results.removed = [&](const Removal& removal) -> Status {
    out[place_of(removal.document)] = {std::string(name_of(removal.kind)),
                                       place_of(removal.survivor)};
    return {};
  };
  const Result<DedupSummary> done = dedup(options, quiet_control(), results);
  EXPECT_TRUE(done.ok()) << done.error().message;
  return out;
}

TEST(GroupRules, GiveDedupsAnswersInAnyNumberOfShards) {
  unsigned rounds = 0;
  unsigned waits = 0;
  for (const std::uint64_t seed : {41U, 42U, 43U}) {
    for (const std::uint64_t references : {0U, 90U}) {
      std::vector<std::string> texts;
      for (const MadeFile& file :
           planted_collection({.seed = seed, .documents = 500, .files = 1}).files) {
        for (const MadeRecord& record : file.records) texts.push_back(record.text);
      }
      const Outcomes expected = of_dedup(texts, references);
      std::set<std::string> kinds;
      for (const auto& [place, outcome] : expected) kinds.insert(outcome.kind);
      EXPECT_EQ(kinds, (std::set<std::string>{"identical", "lexical", "near"}));
      for (const std::size_t shards : {1U, 2U, 7U}) {
        ShardedDedup sharded(texts, references, shards);
        EXPECT_EQ(sharded.run(), expected) << seed << " " << references << " " << shards;
        rounds += sharded.rounds();
        waits += shards > 1 ? sharded.waits() : 0;
      }
    }
  }
  EXPECT_GT(rounds, 0U) << "nothing was repaired";
  EXPECT_GT(waits, 0U) << "no shard waited for another";
}

}  // namespace
}  // namespace twinset
