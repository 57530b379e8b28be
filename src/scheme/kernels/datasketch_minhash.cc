// An element's hash h is the first four bytes of its SHA-1, little-endian.
//
// Release 1 was meant to use a universal hash, the low 32 bits of (a h + b) mod (2^61 - 1); but its
// product wraps at 64 bits, and so it does here. Release 2 mixes h once by MurmurHash3's finalizer
// and then takes a h + b modulo 2^32 with odd a.
//
// numpy's RandomState is the Mersenne Twister of std::mt19937, with the same seed; a number of 61
// bits is drawn from two outputs, the first one the high half, cut to 61 bits and drawn again while
// it is too large.
//
// This file's interface is scheme/kernels/datasketch_minhash.h.
#include "scheme/kernels/datasketch_minhash.h"

#include <algorithm>
#include <cassert>
#include <random>

#include "base/sha1.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

constexpr std::uint64_t mersenne_prime = (std::uint64_t{1} << 61) - 1;

/// RandomState.randint(0, most + 1, dtype=uint64), `most` of 61 bits.
std::uint64_t draw(std::mt19937& random, std::uint64_t most) {
  for (;;) {
    const std::uint64_t high = random();
    const std::uint64_t low = random();
    const std::uint64_t value = (high << 32 | low) & mersenne_prime;
    if (value <= most) return value;
  }
}

std::uint64_t modulo_mersenne_prime(std::uint64_t x) {
  x = (x & mersenne_prime) + (x >> 61);
  return x >= mersenne_prime ? x - mersenne_prime : x;
}

std::uint32_t finalize(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  return h ^ h >> 16;
}

}  // namespace

DatasketchMinHash::DatasketchMinHash(std::size_t values, std::uint32_t seed,
                                     DatasketchRelease release)
    : release_(release) {
  std::mt19937 random(seed);
  if (release == DatasketchRelease::one) {
    for (std::size_t i = 0; i < values; ++i) {
      a_.push_back(1 + draw(random, mersenne_prime - 2));
      b_.push_back(draw(random, mersenne_prime - 1));
    }
    return;
  }
  for (std::size_t i = 0; i < values; ++i) a_.push_back((random() & 0x7fffffffU) * 2 + 1);
  for (std::size_t i = 0; i < values; ++i) b_.push_back(random());
}

void DatasketchMinHash::update(std::string_view element, std::span<std::uint32_t> values) const {
  assert(values.size() == size());
  const auto digest = sha1(element);
  const auto hash = load_little_endian<std::uint32_t>(digest.data());
  if (release_ == DatasketchRelease::one) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t permuted = modulo_mersenne_prime(a_[i] * hash + b_[i]);
      values[i] = std::min(values[i], static_cast<std::uint32_t>(permuted));
    }
    return;
  }
  const std::uint32_t mixed = finalize(hash);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::min(values[i], static_cast<std::uint32_t>(a_[i] * mixed + b_[i]));
  }
}

}  // namespace twinset
