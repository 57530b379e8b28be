#include "scheme/shingle_set.h"

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

void sort_distinct(std::vector<std::uint64_t>& shingles) {
  sort_rows(std::span(shingles), ByValue{});
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
}

}  // namespace

std::uint64_t process_secret() {
  static const std::uint64_t secret = [] {
    std::random_device device;
    return mix64(std::uint64_t{device()} << 32 | device()) | 1;
  }();
  return secret;
}

void ShingleSet::assign(std::span<const std::uint64_t> shingles) {
  // Between a quarter and a half full: a larger table is no faster once it exceeds the cache.
  const std::size_t capacity = std::bit_ceil(shingles.size() * 2 + 2);
  table_.assign(capacity, 0);
  mask_ = capacity - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(capacity));
  distinct_.resize(shingles.size());
  std::uint32_t count = 0;
  for (const std::uint64_t shingle : shingles) {
    const std::uint64_t hash = shingle * secret_;
    const std::uint32_t tag = tag_of(hash);
    std::uint64_t at = hash >> shift_;
    const auto differs = [&](std::uint32_t entry) {
      return (entry & ~place_mask) != tag || distinct_[(entry & place_mask) - 1] != shingle;
    };
    while (table_[at] != 0 && differs(table_[at])) at = (at + 1) & mask_;
    if (table_[at] != 0) continue;
    distinct_[count++] = shingle;
    table_[at] = tag | count;
  }
  distinct_.resize(count);
}

std::uint32_t ShingleSet::place_in_order(std::uint64_t shingle) const {
  const auto at = std::lower_bound(distinct_.begin(), distinct_.end(), shingle);
  if (at == distinct_.end() || *at != shingle) return not_found;
  return static_cast<std::uint32_t>(at - distinct_.begin());
}

void ShingleSet::take(std::vector<std::uint64_t>& shingles) {
  if (shingles.size() < many_shingles) return assign(shingles);
  sort_distinct(shingles);
  distinct_ = std::exchange(shingles, {});
  table_ = std::vector<std::uint32_t>();
}

void ShingleProber::ready() {
  size_.reset();
  in_order_ = shingles_.size() >= many_shingles;
  if (!in_order_) return;
  sort_distinct(shingles_);
  size_ = static_cast<std::uint32_t>(shingles_.size());
}

std::uint32_t ShingleProber::count(const ShingleSet& set) {
  others_.clear();
  const std::uint32_t shared = count_until(set, [](std::uint32_t, std::size_t) { return false; });
  if (!size_.has_value()) {
    other_set_.assign(others_);
    size_ = shared + other_set_.size();
  }
  return shared;
}

std::uint32_t ShingleProber::count(const ShingleSet& set, std::uint32_t needed) {
  return count_until(
      set, [needed](std::uint32_t shared, std::size_t left) { return shared + left < needed; });
}

template <class Stop>
std::uint32_t ShingleProber::count_until(const ShingleSet& set, Stop stop) {
  const std::span<const std::uint64_t> held = set.distinct();
  if (in_order_ && set.in_order()) return shared_in_order(shingles_, held);
  const bool collect = !size_.has_value();
  if (collect) others_.resize(shingles_.size());
  std::size_t others = 0;
  marks_.assign(held.size() / 64 + 1, 0);
  std::uint32_t shared = 0;
  // Common passages run on in both texts, so the set's next shingle is tried before a lookup.
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < shingles_.size(); begin += probe_block) {
    if (stop(shared, shingles_.size() - begin)) break;
    const std::size_t end = std::min(shingles_.size(), begin + probe_block);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t shingle = shingles_[i];
      std::uint32_t place = static_cast<std::uint32_t>(next);
      if (next >= held.size() || held[next] != shingle) place = set.place(shingle);
      if (place != ShingleSet::not_found) {
        shared += mark(place) ? 1 : 0;
        next = place + std::size_t{1};
      } else if (collect) {
        others_[others++] = shingle;
      }
    }
  }
  others_.resize(others);
  return shared;
}

Overlap PairCounter::count(std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& b) {
  if (a.size() + b.size() < many_shingles) return count_by_table(a, b);
  sort_distinct(a);
  sort_distinct(b);
  return {shared_in_order(a, b), static_cast<std::uint32_t>(a.size()),
          static_cast<std::uint32_t>(b.size())};
}

Overlap PairCounter::count_by_table(std::span<const std::uint64_t> a,
                                    std::span<const std::uint64_t> b) {
  constexpr std::uint32_t of_both = std::uint32_t{1} << 31;
  const std::size_t capacity = std::bit_ceil((a.size() + b.size()) * 2 + 2);
  const std::size_t mask = capacity - 1;
  const int shift = 64 - std::countr_zero(capacity);
  table_.assign(capacity, 0);
  distinct_.resize(a.size() + b.size() + 1);
  const auto find = [&](std::uint64_t shingle) -> std::uint32_t& {
    std::size_t at = shingle * secret_ >> shift;
    while (table_[at] != 0 && distinct_[table_[at] & ~of_both] != shingle) at = (at + 1) & mask;
    return table_[at];
  };
  std::uint32_t places = 0;
  for (const std::uint64_t shingle : a) {
    std::uint32_t& entry = find(shingle);
    if (entry != 0) continue;
    distinct_[++places] = shingle;
    entry = places;
  }
  const std::uint32_t of_a = places;
  std::uint32_t shared = 0;
  for (const std::uint64_t shingle : b) {
    std::uint32_t& entry = find(shingle);
    if (entry == 0) {
      distinct_[++places] = shingle;
      entry = places;
    } else if (entry <= of_a) {
      ++shared;
      entry |= of_both;
    }
  }
  return {shared, of_a, places - of_a + shared};
}

}  // namespace twinset
