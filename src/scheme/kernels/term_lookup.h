// Finds the terms of a lexicon among the tokens of a document, each once.
//
//   TermLookup lookup(terms, key);                   // {hash, mask, number} of each term
//   lookup.for_each_known(tokens, scratch, [&](const MaskedTerm& term) { sum += term.mask; });
//
// Three loops: the first asks a filter of one bit, which fits a near cache and drops most tokens
// that are no terms, the second drops repeated ones in a small hash table, the third looks the rest
// up. The order of the terms found depends on the order of the tokens.
//
// Places in the tables depend on `key`: who does not know it cannot make tokens that fall into one
// place.
//
// Threads: immutable once made; the scratch belongs to one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

/// A term and the lists that have it: bit k is set if list k does, and at least one bit is.
struct MaskedTerm {
  std::uint64_t hash = 0;
  std::uint32_t mask = 0;
  std::uint32_t number = 0;
};

class TermLookup {
 public:
  /// Of equal hashes the first counts. Any key.
  TermLookup(std::span<const MaskedTerm> terms, std::uint64_t key);

  /// Calls `use` once for each term among `tokens`. Replaces `scratch`, which grows to some 9 words
  /// a token.
  template <class Use>
  void for_each_known(std::span<const std::uint64_t> tokens, std::vector<std::uint64_t>& scratch,
                      Use&& use) const {
    const std::size_t maybe = keep_maybe(tokens, scratch);
    const std::size_t distinct = keep_distinct(maybe, scratch);
    for (std::size_t i = 0; i < distinct; ++i) {
      const std::uint64_t hash = scratch[i];
      for (std::size_t at = slot_of(hash);; at = (at + 1) & (slots_.size() - 1)) {
        const MaskedTerm& term = slots_[at];
        if (term.mask == 0) break;
        if (term.hash != hash) continue;
        use(term);
        break;
      }
    }
  }

  /// The number of different tokens, terms or not. Replaces `scratch`.
  std::uint64_t count_distinct(std::span<const std::uint64_t> tokens,
                               std::vector<std::uint64_t>& scratch) const;

 private:
  std::size_t slot_of(std::uint64_t hash) const {
    return static_cast<std::size_t>((hash * multiplier_) >> slot_shift_);
  }
  /// Copies the tokens that may be terms into `scratch`; returns their number.
  std::size_t keep_maybe(std::span<const std::uint64_t> tokens,
                         std::vector<std::uint64_t>& scratch) const;
  /// Of the first `count` words of `scratch`, moves the different ones to the front; returns their
  /// number.
  std::size_t keep_distinct(std::size_t count, std::vector<std::uint64_t>& scratch) const;

  std::uint64_t multiplier_;
  unsigned slot_shift_ = 0;
  unsigned filter_shift_ = 0;
  std::vector<MaskedTerm> slots_;      ///< a mask of 0: free
  std::vector<std::uint64_t> filter_;  ///< a bit for each place of a longer table
};

}  // namespace twinset
