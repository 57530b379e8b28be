// This file's interface is scheme/kernels/term_lookup.h; the rest is private.
#include "scheme/kernels/term_lookup.h"

#include <bit>

namespace twinset {
namespace {

/// Of the filter, for each term: a token that is no term passes with a chance of 1/16 or less.
constexpr std::size_t filter_bits = 16;

/// Bits that a product is shifted to be a place among `places`, a power of two.
unsigned shift_to(std::size_t places) {
  return 64U - static_cast<unsigned>(std::countr_zero(places));
}

/// Of a table for so many tokens: room for all if they are few, and for one in four of many, of
/// which most are repeated.
std::size_t first_places(std::size_t tokens) {
  constexpr std::size_t few = 1024;
  return std::bit_ceil(std::max<std::size_t>(tokens <= few ? 2 * tokens : tokens / 2, 2));
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
                                   std::array<std::uint64_t, some_tokens>& kept) const {
  std::size_t count = 0;
  for (const std::uint64_t token : tokens) {
    const std::uint64_t product = token * multiplier_;
    const std::uint64_t bit = product >> filter_shift_;
    kept[count] = token;
    __builtin_prefetch(&slots_[product >> slot_shift_]);
    count += static_cast<std::size_t>(filter_[bit / 64] >> bit % 64 & 1);
  }
  return count;
}

std::span<const std::uint64_t> TermLookup::distinct(std::span<const std::uint64_t> tokens,
                                                    std::vector<std::uint64_t>& scratch) const {
  // After the different tokens, a hash table at most half full. 0 marks a free place in it.
  std::size_t places = first_places(tokens.size());
  scratch.clear();
  scratch.resize(tokens.size() + places);
  std::uint64_t* kept = scratch.data();
  std::uint64_t* table = kept + tokens.size();
  unsigned shift = shift_to(places);
  std::size_t count = 0;
  bool has_zero = false;
  const auto place_of = [&, multiplier = multiplier_](std::uint64_t token) {
    std::size_t at = static_cast<std::size_t>((token * multiplier) >> shift);
    // The least of these is 0 if the place is free or the token's own: of the two nobody can guess
    // which, so they share a branch.
    while (std::min(table[at], table[at] ^ token) != 0) at = (at + 1) & (places - 1);
    return at;
  };
  for (const std::uint64_t token : tokens) {
    if (token == 0) {
      if (!has_zero) kept[count++] = 0;
      has_zero = true;
      continue;
    }
    const std::size_t at = place_of(token);
    kept[count] = token;
    count += table[at] == 0 ? 1 : 0;
    table[at] = token;
    if (count <= places / 2) continue;
    places *= 4;
    shift -= 2;
    scratch.resize(tokens.size() + places);
    kept = scratch.data();
    table = kept + tokens.size();
    std::fill(table, table + places, 0);
    for (std::size_t i = 0; i < count; ++i) table[place_of(kept[i])] = kept[i];
  }
  return {kept, count};
}

}  // namespace twinset
