// The rules by which documents that share a key become answers, as pure functions of rows: what
// dedup() does between its keys and its decisions, for a program that keeps the rows itself, in a
// database, in a cluster of machines, or in an index.
//
// - fold: the first of several equal documents stands for the others;
// - pair: the documents of one key become pairs to be compared;
// - decide: what becomes of a document, from its pairs and the fates of the documents before it;
// - repair: the pair that a decision leaves open, to be compared and decided in a next round.
//
//   // Every group of equal keys, in any order, on any machine:
//   fold(rows, byte_hash, [](const Row& copy, const Row& first, CopyKind kind) {
//     use(copy, first, kind);
//   });
//   pair(places, is_protected, [](Place later, Place earlier) { use(later, earlier); });
//   // Every document in keep order, with its pairs in the order of the earlier documents:
//   const Decision next = decide(edges, state_of, fate_of);
//   // Every pair with a document that was removed:
//   const auto asked = repair(later, earlier, state, survivor_of_later, survivor_of_earlier);
//
// A place is the position of a document in keep order: any type that is copied, made without
// arguments and compared by `<`, such as a number, in which no two documents are equal. Of two
// documents the one with the smaller place is the earlier one, which stays if one of them goes.
//
// Decide and repair alternate until repair gives no pair that is new. Rows may be split in any way
// as long as a group of equal keys, and all pairs of one later document, are in one part: the
// answers are the same, and they are dedup()'s.
//
// Threads: pure functions, except for what they are given to call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace twinset {

/// How a copy equals the document that stands for it.
enum class CopyKind : std::uint8_t {
  identical,  ///< equal bytes
  lexical     ///< equal canonical tokens
};

/// `group`: rows of one hash of tokens (SignedTexts::token_hashes), by ascending place.
/// `byte_hash(row)` gives the hash of a row's bytes. Calls `take(copy, first, kind)` for each row
/// but the first, in order. O(rows).
template <class Row, class ByteHash, class Take>
void fold(std::span<const Row> group, const ByteHash& byte_hash, Take take) {
  for (std::size_t i = 1; i < group.size(); ++i) {
    const bool identical = byte_hash(group[i]) == byte_hash(group.front());
    take(group[i], group.front(), identical ? CopyKind::identical : CopyKind::lexical);
  }
}

/// The first so many protected and the first so many ordinary members of a group are paired with
/// every other member.
inline constexpr unsigned leaders_per_group = 4;

/// The pairs of a group whose members come one at a time.
template <class Place>
class GroupPairs {
 public:
  /// The next member, by ascending place. Calls `take(later, earlier)` for its pairs.
  template <class Take>
  void add(const Place& place, bool is_protected, Take take) {
    if (!is_protected) {
      for (unsigned i = 0; i < protected_count_; ++i) take(place, protected_[i]);
      for (unsigned i = 0; i < ordinary_count_; ++i) take(place, ordinary_[i]);
      if (has_last_ && !last_leads_) take(place, last_);
    }
    unsigned& count = is_protected ? protected_count_ : ordinary_count_;
    last_leads_ = count < leaders_per_group;
    if (last_leads_) (is_protected ? protected_ : ordinary_)[count++] = place;
    last_ = place;
    has_last_ = true;
  }
  /// The next member is of another group.
  void start_group() {
    protected_count_ = ordinary_count_ = 0;
    has_last_ = false;
  }

 private:
  std::array<Place, leaders_per_group> protected_{};
  std::array<Place, leaders_per_group> ordinary_{};
  unsigned protected_count_ = 0;
  unsigned ordinary_count_ = 0;
  Place last_{};
  bool has_last_ = false;
  bool last_leads_ = false;
};

/// `group`: the documents of one key, copies left out, by ascending place. Calls
/// `take(later, earlier)` for each member with the group's first four (the leaders, and as many
/// again of the protected) and with the one just before it. `is_protected(place)`: may the document
/// never go? Then it is never the later one. That is O(members), and connects every group; repair
/// finds the pairs that are left out.
template <class Place, class IsProtected, class Take>
void pair(std::span<const Place> group, const IsProtected& is_protected, Take take) {
  GroupPairs<Place> pairs;
  for (const Place& place : group) pairs.add(place, is_protected(place), take);
}

/// A pair as far as it is known.
enum class LinkState : std::uint8_t {
  unjudged,
  below,   ///< under every threshold
  reached  ///< reaches a threshold
};

/// A document as the documents after it see it.
enum class EarlierFate : std::uint8_t {
  undecided,
  stays,
  removed  ///< it is near or contained in another, which stays
};

/// The next step toward the fate of a document.
struct Decision {
  enum class Step : std::uint8_t {
    keep,    ///< no pair is left: it stays
    remove,  ///< it goes; the pair's earlier document is its survivor
    judge,   ///< the pair has to be judged first
    wait     ///< the pair's earlier document has to be decided first
  };
  Step step = Step::keep;
  std::size_t edge = 0;  ///< the index of the pair; with `keep` the number of pairs
};

/// Decides about the later document of `edges`, which are all its pairs or the rest of them, by
/// ascending place of the earlier documents. It goes if and only if one of them reaches a threshold
/// with a document that stays; the first such is its survivor: stars, never chains. As few as
/// possible are judged. `state_of(edge)` gives a LinkState, `fate_of(edge)` the EarlierFate of its
/// earlier document. O(edges).
template <class Edge, class StateOf, class FateOf>
Decision decide(std::span<const Edge> edges, const StateOf& state_of, const FateOf& fate_of) {
  using Step = Decision::Step;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const LinkState state = state_of(edges[i]);
    if (state == LinkState::below) continue;
    const EarlierFate earlier = fate_of(edges[i]);
    if (earlier == EarlierFate::undecided) return {Step::wait, i};
    if (earlier == EarlierFate::removed) continue;
    return {state == LinkState::unjudged ? Step::judge : Step::remove, i};
  }
  return {Step::keep, edges.size()};
}

/// The pair that repair derives from another one, as {later, earlier}: the document that stays,
/// with the survivor of the other one, which was removed. Nothing if the pair is below every
/// threshold, if both documents stay or neither does, or if the survivor is the document itself. A
/// document that stays has no survivor. A pair whose later document is protected is not to be
/// compared. O(1).
template <class Place>
std::optional<std::pair<Place, Place>> repair(const Place& later, const Place& earlier,
                                              LinkState state,
                                              const std::optional<Place>& survivor_of_later,
                                              const std::optional<Place>& survivor_of_earlier) {
  if (state == LinkState::below) return std::nullopt;
  if (survivor_of_later.has_value() == survivor_of_earlier.has_value()) return std::nullopt;
  const Place& kept = survivor_of_later.has_value() ? earlier : later;
  const Place& survivor = survivor_of_later.has_value() ? *survivor_of_later : *survivor_of_earlier;
  if (kept < survivor) return std::pair(survivor, kept);
  if (survivor < kept) return std::pair(kept, survivor);
  return std::nullopt;
}

}  // namespace twinset
