// The tables of a Hamming join (Manku, Jain, Das Sarma: Detecting Near-Duplicates for Web Crawling,
// 2007, section 3; S-18).
//
// Signatures are cut into `blocks` blocks of about equal length. Two that differ in at most
// `distance` bits agree in all but `distance` blocks, so each table groups them by another choice
// of `blocks - distance` blocks, and two near signatures meet in at least one table. Fewer blocks:
// fewer tables, with shorter keys and larger groups.
//
//   const HammingPlan plan = plan_tables<1>(signatures, 3);   // 10 tables of 5 blocks for 10 M
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "join/kernels/near_signatures.h"

namespace twinset {

inline constexpr unsigned max_join_distance = 7;
inline constexpr unsigned usual_join_distance = 3;
inline constexpr unsigned most_agreeing_blocks = 4;

struct HammingPlan {
  unsigned bits = 64;
  unsigned distance = 0;
  unsigned blocks = 0;
  /// The blocks in which the signatures of a group agree, as a mask, by table. None at distance 0:
  /// equal signatures need no table.
  std::vector<std::uint32_t> tables;
  /// Estimates: the comparisons in all tables, and the time of one core.
  double meetings = 0;
  double cpu_seconds = 0;

  /// The bits of a block: from begin(block) to begin(block + 1), of the highest ones first.
  unsigned begin(unsigned block) const { return block * bits / blocks; }
};

/// The bits [begin, end) of a signature, counted from the highest; 1 to 64 of them.
template <std::size_t Words>
std::uint64_t bits_of(const Signature<Words>& signature, unsigned begin, unsigned end) {
  const unsigned offset = begin % 64;
  const unsigned count = end - begin;
  std::uint64_t bits = signature[begin / 64] << offset;
  if constexpr (Words > 1) {
    if (offset + count > 64) bits |= signature[begin / 64 + 1] >> (64 - offset);
  }
  return bits >> (64 - count);
}

/// Gives the bits of a table's blocks as a number of bits(), at most 64.
template <std::size_t Words>
class TableKey {
 public:
  TableKey(const HammingPlan& plan, std::uint32_t table) {
    for (unsigned block = 0; block < plan.blocks; ++block) {
      if ((table >> block & 1) == 0) continue;
      parts_[count_++] = {plan.begin(block), plan.begin(block + 1)};
      bits_ += plan.begin(block + 1) - plan.begin(block);
    }
  }
  unsigned bits() const { return bits_; }
  /// The bits of the first block.
  unsigned first_bits() const { return parts_[0].end - parts_[0].begin; }
  /// The highest bits of the key, from 1 to first_bits().
  std::uint64_t top(const Signature<Words>& signature, unsigned bits) const {
    return bits_of<Words>(signature, parts_[0].begin, parts_[0].begin + bits);
  }
  std::uint64_t operator()(const Signature<Words>& signature) const {
    std::uint64_t key = bits_of<Words>(signature, parts_[0].begin, parts_[0].end);
    for (unsigned i = 1; i < count_; ++i) {
      const Part& part = parts_[i];
      key = key << (part.end - part.begin) | bits_of<Words>(signature, part.begin, part.end);
    }
    return key;
  }

 private:
  struct Part {
    unsigned begin = 0;
    unsigned end = 0;
  };
  std::array<Part, most_agreeing_blocks> parts_{};
  unsigned count_ = 0;
  unsigned bits_ = 0;
};

/// The blocks in which two signatures agree, as a mask.
template <std::size_t Words>
std::uint32_t equal_blocks(const HammingPlan& plan, const Signature<Words>& a,
                           const Signature<Words>& b);

/// Is this the first table in which two signatures meet that agree in the blocks `equal`? So a pair
/// is found once.
bool first_table(const HammingPlan& plan, std::uint32_t table, std::uint32_t equal);

/// The plan of least cost for these signatures, which are distinct: the work of sorting each table
/// and of comparing in groups, whose sizes are estimated from a sample. Distance up to
/// max_join_distance. Depends on the signatures alone.
template <std::size_t Words>
HammingPlan plan_tables(std::span<const Signature<Words>> signatures, unsigned distance);

/// The same from a part of `count` signatures that was chosen by in_plan_sample().
template <std::size_t Words>
HammingPlan plan_tables(std::span<const Signature<Words>> sample, std::uint64_t count,
                        unsigned distance);

/// Every signature if there are few; else about 2^16 of them, chosen by a hash.
template <std::size_t Words>
bool in_plan_sample(const Signature<Words>& signature, std::uint64_t count);

}  // namespace twinset
