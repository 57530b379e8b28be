#include "join/shingle_set.h"

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

#include "base/hash.h"
#include "rows/sort.h"

namespace twinset {
namespace {

constexpr std::size_t probe_block = 64;

struct ByValue {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
  static std::uint64_t radix(std::uint64_t value) { return value; }
};

/// How many values two ascending lists share.
std::uint32_t shared_in_order(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t x = a[i];
    const std::uint64_t y = b[j];
    shared += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return shared;
}

}  // namespace

std::uint64_t process_secret() {
  static const std::uint64_t secret = [] {
    std::random_device device;
    return mix64(std::uint64_t{device()} << 32 | device()) | 1;
  }();
  return secret;
}

void ShingleSet::assign(std::span<const std::uint64_t> shingles,
                        std::vector<std::uint64_t>* distinct) {
  is_sorted_ = false;
  const std::size_t capacity = std::bit_ceil(shingles.size() * 2 + 2);
  slots_.assign(capacity, 0);
  mask_ = capacity - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
  size_ = 0;
  has_zero_ = false;
  if (distinct != nullptr) distinct->clear();
  for (const std::uint64_t shingle : shingles) {
    if (shingle == 0) {
      if (has_zero_) continue;
      has_zero_ = true;
    } else {
      std::uint64_t at = slot(shingle);
      while (slots_[at] != 0 && slots_[at] != shingle) at = (at + 1) & mask_;
      if (slots_[at] == shingle) continue;
      slots_[at] = shingle;
    }
    ++size_;
    if (distinct != nullptr) distinct->push_back(shingle);
  }
}

void ShingleSet::take(std::vector<std::uint64_t>& shingles) {
  if (shingles.size() < many_shingles) return assign(shingles);
  sort_rows(std::span(shingles), ByValue{});
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  slots_ = std::exchange(shingles, {});
  size_ = static_cast<std::uint32_t>(slots_.size());
  is_sorted_ = true;
}

std::uint32_t shared_shingles(std::span<const std::uint64_t> distinct, const ShingleSet& set,
                              std::uint32_t needed) {
  if (!set.sorted().empty() && distinct.size() >= many_shingles) {
    return shared_in_order(distinct, set.sorted());
  }
  std::uint32_t shared = 0;
  std::size_t done = 0;
  while (done < distinct.size()) {
    const std::size_t end = std::min(distinct.size(), done + probe_block);
    for (std::size_t i = done; i < end; ++i) shared += set.contains(distinct[i]) ? 1 : 0;
    done = end;
    if (shared + (distinct.size() - done) < needed) break;
  }
  return shared;
}

}  // namespace twinset
