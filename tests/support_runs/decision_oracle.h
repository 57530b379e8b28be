// The decisions that a run of dedup should make, exactly, and how well another's agree.
//
//   std::vector<OracleDocument> documents = ...;  // in keep order
//   auto outcome = decide_exactly(documents, {.resemblance = {4, 5}});
//   outcome.value().decisions[7].survivor;
//
// Threads: pure functions over values; nothing is shared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "evaluate/oracle.h"
#include "evaluate/tally.h"
#include "join/fate.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

/// A document as the decision oracle is given it.
struct OracleDocument {
  std::string_view text;                  ///< for "identical": equal bytes
  std::span<const std::uint64_t> tokens;  ///< canonical tokens, in order
  bool reference = false;                 ///< protected: never goes, others may go for it
};

struct OracleRules {
  unsigned shingle_tokens = 5;
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;  ///< of the later document in the one ahead of it
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
};

struct OracleDecision {
  Fate fate = Fate::kept;            ///< or one of removed_fates
  std::uint32_t survivor = 0;        ///< itself when kept
  std::uint32_t representative = 0;  ///< first of its lexical class in keep order
  Fraction resemblance;              ///< with the survivor; unknown when kept
  Fraction containment;              ///< of this one in the survivor
  Fraction survivor_containment;     ///< of the survivor in this one

  bool kept() const { return fate == Fate::kept; }
};

struct OracleOutcome {
  std::vector<OracleDecision> decisions;  ///< by document
  std::vector<ExactPair> pairs;           ///< of representatives under the rule, sorted by (a, b)

  /// Survivors with at least one other member: survivor first, members in keep
  /// order after it; clusters by survivor.
  std::vector<std::vector<std::uint32_t>> clusters() const;
};

/// The greedy decision, exactly. `documents` are in keep order. Lexically equal
/// documents fold first (a document without tokens folds with equal bytes only);
/// the first of a class represents it. Then each representative in order goes if
/// and only if it has an edge to a kept one ahead of it; its survivor is the
/// first such in keep order. A folded document's survivor is its representative,
/// or that one's survivor with that one's numbers.
/// Errors (usage): collection over rules.memory_bytes, or 2^32 documents.
Result<OracleOutcome> decide_exactly(std::span<const OracleDocument> documents,
                                     const OracleRules& rules);

/// Recall at J: the share of the pairs with a resemblance of at least `j` of which not both are
/// kept. `kept` is indexed as the pairs' collection is.
Tally recall_at(std::span<const ExactPair> pairs, const std::vector<bool>& kept, const Ratio& j);

/// A removal as some run claims it.
struct ClaimedRemoval {
  std::uint32_t document = 0;
  std::uint32_t survivor = 0;
};

struct RemovalCheck {
  Tally right;  ///< precision: of the claimed removals, those that hold
  std::vector<ClaimedRemoval> wrong;
};

/// Precision of removals: a claim holds when its survivor is not itself claimed
/// as removed and the two are equal in bytes or tokens, or their exact ratios
/// meet the rules. Indexes out of range are wrong.
RemovalCheck check_removals(std::span<const OracleDocument> documents,
                            std::span<const ClaimedRemoval> removals, const OracleRules& rules);

}  // namespace twinset
