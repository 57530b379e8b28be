#include "join/hamming_plan.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::uint64_t sample_signatures = std::uint64_t{1} << 16;
/// Longer keys separate nothing more.
constexpr unsigned most_key_bits = 48;
/// Nanoseconds to sort a signature into a table's groups, and to compare two.
constexpr double sort_cost = 10;
constexpr double compare_cost = 0.5;

/// All masks of `blocks` bits that have `agreeing` ones.
std::vector<std::uint32_t> choices(unsigned blocks, unsigned agreeing) {
  std::vector<std::uint32_t> masks;
  for (std::uint32_t mask = 0; mask < std::uint32_t{1} << blocks; ++mask) {
    if (static_cast<unsigned>(std::popcount(mask)) == agreeing) masks.push_back(mask);
  }
  return masks;
}

}  // namespace

template <std::size_t Words>
std::uint32_t equal_blocks(const HammingPlan& plan, const Signature<Words>& a,
                           const Signature<Words>& b) {
  Signature<Words> differing;
  for (std::size_t i = 0; i < Words; ++i) differing[i] = a[i] ^ b[i];
  std::uint32_t equal = 0;
  for (unsigned block = 0; block < plan.blocks; ++block) {
    const bool same = bits_of<Words>(differing, plan.begin(block), plan.begin(block + 1)) == 0;
    equal |= static_cast<std::uint32_t>(same ? 1 : 0) << block;
  }
  return equal;
}

bool first_table(const HammingPlan& plan, std::uint32_t table, std::uint32_t equal) {
  // Of the tables within `equal`, the one of its lowest blocks.
  std::uint32_t others = equal;
  for (unsigned block = plan.blocks - plan.distance; block > 0; --block) others &= others - 1;
  return (equal & ~others) == table;
}

template <std::size_t Words>
bool in_plan_sample(const Signature<Words>& signature, std::uint64_t count) {
  if (count <= sample_signatures) return true;
  std::uint64_t hash = 0;
  for (const std::uint64_t word : signature) hash = mix64(hash ^ word) + word;
  return mix64(hash) <= UINT64_MAX / count * sample_signatures;
}

template <std::size_t Words>
HammingPlan plan_tables(std::span<const Signature<Words>> sample, std::uint64_t count,
                        unsigned distance) {
  HammingPlan best{.bits = 64 * Words, .distance = distance, .blocks = 1, .tables = {}};
  if (distance == 0 || sample.size() < 2) return best;
  const double scale = static_cast<double>(count) / static_cast<double>(sample.size());
  double least = 0;
  std::vector<std::uint64_t> keys(sample.size());
  for (unsigned agreeing = 1; agreeing <= most_agreeing_blocks; ++agreeing) {
    const unsigned blocks = distance + agreeing;
    if (agreeing > 1 && agreeing * (best.bits / blocks + 1) > most_key_bits) break;
    HammingPlan plan{.bits = best.bits,
                     .distance = distance,
                     .blocks = blocks,
                     .tables = choices(blocks, agreeing)};
    const double sorting = sort_cost * static_cast<double>(plan.tables.size() * count);
    if (agreeing > 1 && sorting >= least) break;
    for (const std::uint32_t table : plan.tables) {
      const TableKey<Words> key(plan, table);
      for (std::size_t i = 0; i < sample.size(); ++i) keys[i] = key(sample[i]);
      std::ranges::sort(keys);
      for (auto begin = keys.begin(); begin != keys.end();) {
        const auto end = std::upper_bound(begin, keys.end(), *begin);
        const auto members = static_cast<double>(end - begin);
        plan.meetings += members * (members - 1) / 2 * scale * scale;
        begin = end;
      }
    }
    const double cost = sorting + compare_cost * plan.meetings;
    if (agreeing > 1 && cost >= least) continue;
    least = cost;
    plan.cpu_seconds = cost / 1e9;
    best = std::move(plan);
  }
  return best;
}

template <std::size_t Words>
HammingPlan plan_tables(std::span<const Signature<Words>> signatures, unsigned distance) {
  std::vector<Signature<Words>> sample;
  for (const Signature<Words>& signature : signatures) {
    if (in_plan_sample<Words>(signature, signatures.size())) sample.push_back(signature);
  }
  return plan_tables<Words>(sample, signatures.size(), distance);
}

template std::uint32_t equal_blocks<1>(const HammingPlan&, const Signature<1>&,
                                       const Signature<1>&);
template std::uint32_t equal_blocks<2>(const HammingPlan&, const Signature<2>&,
                                       const Signature<2>&);
template bool in_plan_sample<1>(const Signature<1>&, std::uint64_t);
template bool in_plan_sample<2>(const Signature<2>&, std::uint64_t);
template HammingPlan plan_tables<1>(std::span<const Signature<1>>, std::uint64_t, unsigned);
template HammingPlan plan_tables<2>(std::span<const Signature<2>>, std::uint64_t, unsigned);
template HammingPlan plan_tables<1>(std::span<const Signature<1>>, unsigned);
template HammingPlan plan_tables<2>(std::span<const Signature<2>>, unsigned);

}  // namespace twinset
