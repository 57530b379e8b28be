// Two documents compared by what an index holds of them: their sketches under each of its schemes,
// and their hashes.
//
//   HeldDocument mine, other;
//   TWINSET_TRY(hold(snapshot, place, other));
//   const HeldLikeness found = compare_held(snapshot.signer(), mine, other);
//   if (found.is_same || reaches(found.likeness, {Ratio(1, 2), {}})) ...
//
// Each share is the estimate of the scheme that knows it best.
//
// Threads: pure functions but for files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/snapshot.h"
#include "scheme/overlap.h"
#include "scheme/scheme.h"
#include "twinset/index.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

struct HeldDocument {
  std::vector<std::span<const std::uint8_t>> sketches;  ///< by scheme; empty: no signature
  Fingerprint bytes_hash{};
  Fingerprint tokens_hash{};
};

/// Of a document of the index; its sketches live as long as the snapshot.
Status hold(const IndexSnapshot& snapshot, IndexPlace place, HeldDocument& out);
/// Of a text's marks, which must outlive it; without hashes.
void hold(const std::vector<Marks>& marks, HeldDocument& out);

/// The standard errors of shares.
struct LikenessErrors {
  double resemblance = 0;
  double containment = 0;
  double contains = 0;
};

struct HeldLikeness {
  Likeness likeness;
  LikenessErrors errors;
  /// They are copies, or near or equal by a scheme that tells that.
  bool is_same = false;
  /// Of the first scheme that counts keys.
  std::optional<SampleCounts> counts;
};

/// Gives the keys of two stored samples that do not count, sorted, until the next call.
using LeftOutKeys = std::function<std::span<const std::uint64_t>(
    const Scheme& scheme, std::span<const std::uint8_t> a, std::span<const std::uint8_t> b)>;

/// `containment` is of `a` in `b`. `left_out`, if it is set, is asked for schemes that count keys.
HeldLikeness compare_held(const IndexSigner& signer, const HeldDocument& a, const HeldDocument& b,
                          const LeftOutKeys& left_out = nullptr);

struct LeastShares {
  std::optional<Ratio> resemblance;
  std::optional<Ratio> containment;  ///< of either in the other
};

/// Are they the same, or does a share reach its least?
bool reaches(const HeldLikeness& found, const LeastShares& least);
/// Could the texts reach it? Where the sketches tell nothing, they could.
bool may_reach(const HeldLikeness& found, const LeastShares& least);

/// What the texts tell: `later` is for `a`.
void take_exactly(const Overlap& overlap, Likeness& likeness);
/// Of texts of equal tokens.
void take_all_of_each_other(Likeness& likeness);

}  // namespace twinset
