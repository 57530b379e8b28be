// A document's distinct shingles, for counting how many another has too.
//
// The member's side is a plain list without repeats, the survivor's a hash set
// that many members probe: sorting both costs more than everything else of a
// verification together.
//
// Threads: a built set is immutable and shared; a builder belongs to one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

/// An odd number drawn once a process; it decides speed only, never a result.
std::uint64_t process_secret();

/// From so many shingles on a set is a sorted array: see ShingleSet::take().
inline constexpr std::size_t many_shingles = std::size_t{1} << 20;

/// An open-addressing set of 64-bit hashes. assign() reuses its memory.
class ShingleSet {
 public:
  /// Replaces the content with the distinct values of `shingles`; if
  /// `distinct` is given, it is set to them in first-seen order.
  void assign(std::span<const std::uint64_t> shingles,
              std::vector<std::uint64_t>* distinct = nullptr);
  /// The same for any number of shingles. Of many the vector is taken over,
  /// sorted and left empty: a table would need four times its memory.
  void take(std::vector<std::uint64_t>& shingles);
  /// The content in order if it was taken over; else empty.
  std::span<const std::uint64_t> sorted() const {
    return is_sorted_ ? std::span(slots_) : std::span<const std::uint64_t>();
  }
  bool contains(std::uint64_t shingle) const {
    if (is_sorted_) return std::binary_search(slots_.begin(), slots_.end(), shingle);
    if (shingle == 0) return has_zero_;
    for (std::uint64_t at = slot(shingle);; at = (at + 1) & mask_) {
      if (slots_[at] == shingle) return true;
      if (slots_[at] == 0) return false;
    }
  }
  std::uint32_t size() const { return size_; }
  /// Bytes held.
  std::uint64_t bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }

 private:
  /// Shingles are uniform only under honest input, so the slot comes from a
  /// product with a secret of this process: crafted shingles do not pile up.
  std::uint64_t slot(std::uint64_t shingle) const { return (shingle * secret_) >> shift_; }

  std::uint64_t secret_ = process_secret();
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(2);
  std::uint64_t mask_ = 1;
  unsigned shift_ = 63;
  std::uint32_t size_ = 0;
  bool has_zero_ = false;
  bool is_sorted_ = false;  ///< slots_ are the shingles themselves, in order
};

/// The overlap of two shingle sets, exactly.
struct Overlap {
  std::uint32_t shared = 0;
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;
  std::uint64_t all() const { return std::uint64_t{later} + earlier - shared; }
};

/// How many of `distinct` the set holds; many_shingles or more must ascend. Stops early, with less
/// than `needed`, once `needed` cannot be reached.
std::uint32_t shared_shingles(std::span<const std::uint64_t> distinct, const ShingleSet& set,
                              std::uint32_t needed);

}  // namespace twinset
