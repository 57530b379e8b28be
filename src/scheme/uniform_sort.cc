// At least two buckets a value keep insertions rare; a bucket that is crowded all the same (many
// repeats, or a document made for that) is sorted by std::sort.
//
// This file's interface is scheme/uniform_sort.h; the rest is private.
#include "scheme/uniform_sort.h"

#include <algorithm>
#include <array>
#include <bit>

namespace twinset {
namespace {

constexpr std::size_t most_values = 1024;
constexpr std::size_t few_values = 24;
constexpr std::uint32_t crowded = 24;

void insertion_sort(std::span<std::uint64_t> values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t value = values[i];
    std::size_t j = i;
    for (; j > 0 && values[j - 1] > value; --j) values[j] = values[j - 1];
    values[j] = value;
  }
}

}  // namespace

void sort_uniform(std::span<std::uint64_t> values, std::uint64_t limit) {
  if (values.size() <= few_values) return insertion_sort(values);
  if (values.size() > most_values) return std::sort(values.begin(), values.end());
  std::array<std::uint16_t, 2 * most_values + 1> starts;
  const std::size_t buckets = std::bit_ceil(2 * values.size());
  const int unused = std::countl_zero(limit);
  const int shift = 64 - std::countr_zero(buckets);
  const auto bucket_of = [=](std::uint64_t value) { return value << unused >> shift; };

  std::fill_n(starts.begin(), buckets + 1, std::uint16_t{0});
  std::uint32_t most = 0;
  for (const std::uint64_t value : values) {
    std::uint16_t& size = starts[bucket_of(value)];
    ++size;
    most = std::max<std::uint32_t>(most, size);
  }
  std::uint32_t start = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::uint32_t size = starts[bucket];
    starts[bucket] = static_cast<std::uint16_t>(start);
    start += size;
  }
  std::array<std::uint64_t, most_values> sorted;
  for (const std::uint64_t value : values) sorted[starts[bucket_of(value)]++] = value;
  std::copy_n(sorted.begin(), values.size(), values.begin());
  // Each start is its bucket's end now.
  for (std::size_t bucket = 0; most > crowded && bucket < buckets; ++bucket) {
    const std::size_t begin = bucket == 0 ? 0 : starts[bucket - 1];
    const std::size_t end = starts[bucket];
    if (end - begin > crowded) std::sort(values.begin() + begin, values.begin() + end);
  }
  insertion_sort(values);
}

}  // namespace twinset
