// The fate of a record, and the word for it in all files, pages and answers.
//
//   fate_name(Fate::bad);   // "quarantined"
//   kind_of(Fate::near);    // RemovalKind::near
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "twinset/dedup.h"

namespace twinset {

/// Stored in the rows of a run: the numbers stay as they are.
enum class Fate : std::uint8_t {
  kept = 0,
  absent,     ///< a blank line: no record
  bad,        ///< quarantined
  filtered,   ///< fewer tokens than --min-tokens
  identical,  ///< equal text bytes: represented by another
  lexical,    ///< equal canonical tokens: represented by another
  near,       ///< resembles a kept document before it
  contained,  ///< is contained in a kept document before it
  undecided,  ///< a sweep has yet to decide; never seen outside it
  carried,    ///< bytes that are not a document: copied to the output in their place
  shingles    ///< equal set of shingles: represented by another
};

/// By fate. The names of the removed fates are the kinds in removed.jsonl and on the pages.
inline constexpr std::array<const char*, 11> fate_names{
    "kept", "absent",    "quarantined", "filtered", "identical", "lexical",
    "near", "contained", "undecided",   "carried",  "shingles"};
constexpr const char* fate_name(Fate fate) { return fate_names[static_cast<std::size_t>(fate)]; }

/// Equal to its representative.
constexpr bool is_copy(Fate fate) {
  return fate == Fate::identical || fate == Fate::lexical || fate == Fate::shingles;
}

/// Has an edge to the document that stays in its place.
constexpr bool is_judged_out(Fate fate) { return fate == Fate::near || fate == Fate::contained; }

/// The fates of records that dedup removes, in the order in which they are listed.
inline constexpr std::array<Fate, 4> removed_fates{Fate::identical, Fate::lexical, Fate::near,
                                                   Fate::contained};
constexpr bool is_removed(Fate fate) { return is_copy(fate) || is_judged_out(fate); }

static_assert(static_cast<int>(Fate::contained) - static_cast<int>(Fate::identical) ==
              static_cast<int>(RemovalKind::contained));
constexpr RemovalKind kind_of(Fate removed) {
  if (removed == Fate::shingles) return RemovalKind::shingles;
  return static_cast<RemovalKind>(static_cast<int>(removed) - static_cast<int>(Fate::identical));
}
constexpr Fate fate_of(RemovalKind kind) {
  if (kind == RemovalKind::shingles) return Fate::shingles;
  return static_cast<Fate>(static_cast<int>(kind) + static_cast<int>(Fate::identical));
}
inline std::vector<std::string_view> removal_kinds() {
  return {fate_names.begin() + 4, fate_names.begin() + 8};
}

}  // namespace twinset
