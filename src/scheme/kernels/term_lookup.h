// Finds the terms of a lexicon among the tokens of a document, each once.
//
//   TermLookup lookup(terms, key);                         // {hash, mask, number} of each term
//   const auto different = lookup.distinct(tokens, scratch);
//   lookup.for_each_known(different, [&](const MaskedTerm& term) { sum += term.mask; });
//
// First repeated tokens are dropped, in a hash table that is as small as the different ones allow:
// of a long text these are few. Then a filter of one bit, which fits a near cache, drops most
// tokens that are no terms, and the rest is looked up. Terms are found in the order of the tokens.
//
// Places in the tables depend on `key`: who does not know it cannot make tokens that fall into one
// place.
//
// Threads: immutable once made; the scratch belongs to one.
#pragma once

#include <algorithm>
#include <array>
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

  /// The different tokens, terms or not, in order of their first places. Replaces `scratch`, in
  /// which they are, and which grows to some 5 words a token.
  std::span<const std::uint64_t> distinct(std::span<const std::uint64_t> tokens,
                                          std::vector<std::uint64_t>& scratch) const;

  /// Calls `use` for each term among `distinct`, whose tokens are all different.
  template <class Use>
  void for_each_known(std::span<const std::uint64_t> distinct, Use&& use) const {
    std::array<std::uint64_t, some_tokens> maybe;
    for (std::size_t begin = 0; begin < distinct.size(); begin += some_tokens) {
      const std::size_t count = keep_maybe(
          distinct.subspan(begin, std::min(some_tokens, distinct.size() - begin)), maybe);
      for (std::size_t i = 0; i < count; ++i) {
        const MaskedTerm& term = find(maybe[i]);
        if (term.mask != 0) use(term);
      }
    }
  }

 private:
  /// So many pass the filter before any is looked up, so that their places are on their way into
  /// the cache.
  static constexpr std::size_t some_tokens = 64;

  std::size_t slot_of(std::uint64_t hash) const {
    return static_cast<std::size_t>((hash * multiplier_) >> slot_shift_);
  }
  /// The term, or a free slot.
  const MaskedTerm& find(std::uint64_t hash) const {
    std::size_t at = slot_of(hash);
    while (slots_[at].mask != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  /// Copies the tokens that may be terms to `kept`; returns their number.
  std::size_t keep_maybe(std::span<const std::uint64_t> tokens,
                         std::array<std::uint64_t, some_tokens>& kept) const;

  std::uint64_t multiplier_;
  unsigned slot_shift_ = 0;
  unsigned filter_shift_ = 0;
  std::vector<MaskedTerm> slots_;      ///< a mask of 0: free
  std::vector<std::uint64_t> filter_;  ///< a bit for each place of a longer table
};

}  // namespace twinset
