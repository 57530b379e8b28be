#include "sketch/signature_bins.h"

#include <algorithm>
#include <numeric>

#include "scheme/little_endian.h"

namespace twinset {
namespace {

constexpr std::size_t word_bytes = 8;

std::size_t first_byte(std::span<const std::uint8_t> word) {
  return static_cast<std::size_t>(load_little_endian<std::uint64_t>(word.data()) >> 56);
}

}  // namespace

std::uint64_t sum_of(const ByteCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double chi_square(const ByteCounts& counts) {
  const std::uint64_t sum = sum_of(counts);
  if (sum == 0) return 0;
  const double expected = static_cast<double>(sum) / static_cast<double>(counts.size());
  double statistic = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    statistic += difference * difference / expected;
  }
  return statistic;
}

void SignatureBins::add(std::span<const std::uint8_t> stored) {
  if (stored.empty() || !has_any(tells_)) return;
  // A distance's form begins with a byte of its own (signature_text.cc); one word is enough of it.
  if (tells_ == Tells::distance) stored = stored.subspan(1, word_bytes);
  coordinates_.resize(std::max(coordinates_.size(), stored.size() / word_bytes));
  for (std::size_t i = 0; i < stored.size() / word_bytes; ++i) {
    const auto word = stored.subspan(i * word_bytes, word_bytes);
    const bool none =
        tells_ == Tells::coordinate && load_little_endian<std::uint64_t>(word.data()) == 0;
    if (!none) ++coordinates_[i][first_byte(word)];
  }
}

void SignatureBins::add(const SignatureBins& other) {
  coordinates_.resize(std::max(coordinates_.size(), other.coordinates_.size()));
  for (std::size_t i = 0; i < other.coordinates_.size(); ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      coordinates_[i][byte] += other.coordinates_[i][byte];
    }
  }
}

}  // namespace twinset
