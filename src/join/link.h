// The link between two documents: how alike they are, by which numbers, and whether that reaches
// the thresholds. The later document in keep order is the one that may go.
//
//   const Link link = Link::exact({.shared = 6, .later = 8, .earlier = 10});
//   link.resemblance();            // 6 of 12 shingles: 0.5
//   link_kind_name(link.kind);     // "shingles"
//
// Every file and page shows a link by its kind; the names of the kinds and the form in which they
// are written are defined only here.
//
// Threads: values. They are parts of stored rows, so their sizes are fixed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scheme/overlap.h"
#include "twinset/collection.h"
#include "twinset/group.h"
#include "twinset/scheme.h"

namespace twinset {

/// The meaning of a link's numbers.
enum class LinkKind : std::uint8_t {
  shingles,   ///< exact: the distinct shingles of both texts
  keys,       ///< estimated: the sampled keys of both texts
  estimate,   ///< a resemblance estimated from two sketches
  distance,   ///< the bits in which two fingerprints differ
  signature,  ///< the coordinate in which two signatures are equal
  nothing     ///< the two share a key; nothing more is known
};

/// By kind: "pairs_count" in summary.json (docs/formats/pairs.md).
inline constexpr std::array<const char*, 6> link_kind_names{"shingles", "keys",      "estimate",
                                                            "distance", "signature", "nothing"};
constexpr const char* link_kind_name(LinkKind kind) {
  return link_kind_names[static_cast<std::size_t>(kind)];
}
/// The kind of this name; nullopt for any other word.
constexpr std::optional<LinkKind> link_kind(std::string_view name) {
  for (std::size_t i = 0; i < link_kind_names.size(); ++i) {
    if (name == link_kind_names[i]) return static_cast<LinkKind>(i);
  }
  return std::nullopt;
}

/// Of the links of a run: by what it checks pairs, whether its scheme counts keys, and what else
/// that tells.
constexpr LinkKind link_kind(Check check, bool counts_keys, Tells tells) {
  if (check == Check::exact) return LinkKind::shingles;
  if (check == Check::none) return LinkKind::nothing;
  if (counts_keys) return LinkKind::keys;
  return tells == Tells::distance     ? LinkKind::distance
         : tells == Tells::coordinate ? LinkKind::signature
                                      : LinkKind::estimate;
}

/// Do the numbers of this kind give a resemblance?
constexpr bool tells_resemblance(LinkKind kind) {
  return kind == LinkKind::shingles || kind == LinkKind::keys || kind == LinkKind::estimate;
}

/// A link as far as it is known; at first it is unjudged.
struct Link {
  /// By kind: the sizes of two sets; {resemblance, standard error, 0} in estimate_scale;
  /// {differing bits, bits, bits}; {coordinate, 1, 1}; {1, 1, 1}.
  Overlap numbers;
  LinkKind kind = LinkKind::nothing;
  LinkState state = LinkState::unjudged;
  std::uint16_t padding = 0;

  /// Links that reach a threshold.
  static constexpr Link exact(const Overlap& shingles) {
    return {shingles, LinkKind::shingles, LinkState::reached};
  }
  static Link estimated(double resemblance, double standard_error) {
    const double error = std::round(standard_error * estimate_scale);
    return {{estimate_units(resemblance), static_cast<std::uint32_t>(error), 0},
            LinkKind::estimate,
            LinkState::reached};
  }
  static constexpr Link far(std::uint32_t distance, std::uint32_t bits) {
    return {{distance, bits, bits}, LinkKind::distance, LinkState::reached};
  }
  static constexpr Link same_signature(std::uint32_t coordinate) {
    return {{coordinate, 1, 1}, LinkKind::signature, LinkState::reached};
  }
  /// The link of two documents that share a key.
  static constexpr Link candidate() { return {{1, 1, 1}, LinkKind::nothing, LinkState::reached}; }
  /// The link of a document and its copy.
  static constexpr Link copy() { return exact({1, 1, 1}); }
  static constexpr Link too_low() { return {{}, LinkKind::nothing, LinkState::below}; }

  /// Are the numbers the sizes of two sets?
  constexpr bool counts() const { return kind == LinkKind::shingles || kind == LinkKind::keys; }
  constexpr bool estimated() const { return kind == LinkKind::estimate; }
  /// 0 if the kind does not give a resemblance, as a distance or a signature.
  constexpr double resemblance() const {
    return estimated() ? share(numbers.shared, estimate_scale)
           : counts()  ? numbers.resemblance()
                       : 0;
  }
  /// For an order by likeness: the resemblance, the share of equal bits, 1 for equal signatures or
  /// keys.
  constexpr double likeness() const {
    return kind == LinkKind::distance ? 1 - share(numbers.shared, numbers.later)
           : counts() || estimated()  ? resemblance()
                                      : 1;
  }
  /// Containment of the later document in the earlier; for an estimate, its resemblance.
  constexpr double containment() const { return counts() ? numbers.containment() : resemblance(); }
  /// The standard error of an estimated resemblance; 0 for exact numbers.
  constexpr double standard_error() const {
    return estimated() ? share(numbers.later, estimate_scale) : 0;
  }

  /// A 95 % interval of an estimated resemblance: of counted keys that of Clopper and Pearson, of
  /// sketches Wilson's for a sample of their standard error; nullopt for all else.
  std::optional<Interval> interval() const;

  /// The three numbers of a line of pairs.jsonl.zst, and the link that they give when read: the
  /// same except for the error of an estimate. For sets and estimates they are an Overlap.
  constexpr Overlap written() const {
    return estimated() ? Overlap{numbers.shared, estimate_scale, numbers.shared} : numbers;
  }
  static constexpr Link read(LinkKind kind, const Overlap& written) {
    const bool estimate = kind == LinkKind::estimate;
    return {estimate ? Overlap{written.shared, 0, 0} : written, kind, LinkState::reached};
  }
};
static_assert(sizeof(Link) == 16);

/// Two samples, of which the first is the later document's.
constexpr Overlap overlap_of(const SampleCounts& counts) {
  return {static_cast<std::uint32_t>(counts.shared), static_cast<std::uint32_t>(counts.in_a),
          static_cast<std::uint32_t>(counts.in_b)};
}

/// The link that two sketches give, as one that reaches a threshold; nullopt if they give none.
std::optional<Link> link_of(const Comparison& comparison);
/// The comparison that gives this link; unknown if its numbers are not those of sketches.
Comparison comparison_of(const Link& link);

}  // namespace twinset
