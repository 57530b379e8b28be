// This file's interface is scheme/kernels/term_lookup.h; the rest is private.
#include "scheme/kernels/term_lookup.h"

#include <algorithm>

namespace twinset {
namespace {

/// Of the filter, for each term: a token that is no term passes with a chance of 1/16 or less.
constexpr std::size_t filter_bits = 16;

/// Bits that a product is shifted to be a place among `places`, a power of two.
unsigned shift_to(std::size_t places) {
  return 64U - static_cast<unsigned>(std::countr_zero(places));
}

}  // namespace

TermLookup::TermLookup(std::span<const MaskedTerm> terms, std::uint64_t key)
    : multiplier_(key | 1) {
  slots_.resize(std::bit_ceil(std::max<std::size_t>(2 * terms.size(), 2)));
  slot_shift_ = shift_to(slots_.size());
  const std::size_t bits = std::bit_ceil(std::max<std::size_t>(filter_bits * terms.size(), 64));
  filter_.resize(bits / 64);
  filter_shift_ = shift_to(bits);
  for (const MaskedTerm& term : terms) {
    std::size_t at = slot_of(term.hash);
    while (slots_[at].mask != 0 && slots_[at].hash != term.hash)
      at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].mask == 0) slots_[at] = term;
    const std::uint64_t bit = (term.hash * multiplier_) >> filter_shift_;
    filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::size_t TermLookup::keep_maybe(std::span<const std::uint64_t> tokens,
                                   std::vector<std::uint64_t>& scratch) const {
  scratch.resize(std::max(scratch.size(), tokens.size()));
  std::uint64_t* const kept = scratch.data();
  std::size_t count = 0;
  for (const std::uint64_t token : tokens) {
    const std::uint64_t bit = (token * multiplier_) >> filter_shift_;
    kept[count] = token;
    count += static_cast<std::size_t>(filter_[bit / 64] >> bit % 64 & 1);
  }
  return count;
}

std::size_t TermLookup::keep_distinct(std::size_t count,
                                      std::vector<std::uint64_t>& scratch) const {
  // After the tokens, a hash table with four places for each. 0 marks a free place in it.
  const std::size_t places = std::bit_ceil(std::max<std::size_t>(4 * count, 2));
  const unsigned shift = shift_to(places);
  scratch.resize(count);
  scratch.resize(count + places);
  std::uint64_t* const kept = scratch.data();
  std::uint64_t* const table = kept + count;
  const std::uint64_t multiplier = multiplier_;
  const unsigned slot_shift = slot_shift_;
  const MaskedTerm* const slots = slots_.data();
  std::size_t distinct = 0;
  bool has_zero = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t token = kept[i];
    if (token == 0) {
      if (!has_zero) kept[distinct++] = 0;
      has_zero = true;
      continue;
    }
    const std::uint64_t product = token * multiplier;
    __builtin_prefetch(&slots[product >> slot_shift]);
    std::size_t at = static_cast<std::size_t>(product >> shift);
    // The least of these is 0 if the place is free or the token's own: of the two nobody can guess
    // which, so they share a branch.
    while (std::min(table[at], table[at] ^ token) != 0) at = (at + 1) & (places - 1);
    kept[distinct] = token;
    distinct += table[at] == 0 ? 1 : 0;
    table[at] = token;
  }
  return distinct;
}

std::uint64_t TermLookup::count_distinct(std::span<const std::uint64_t> tokens,
                                         std::vector<std::uint64_t>& scratch) const {
  scratch.assign(tokens.begin(), tokens.end());
  return keep_distinct(tokens.size(), scratch);
}

}  // namespace twinset
