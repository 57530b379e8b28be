// The hash functions of every file twinset writes.
//
// Each is defined as a function of its input, equal on every CPU, and versioned
// with the scheme fingerprint: a change here changes `hash_version`. The default seed is public; a
// deployment that must resist crafted input passes its own.
//
// Threads: pure functions.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

/// Part of every scheme fingerprint: raised when a hash below changes.
inline constexpr std::uint32_t hash_version = 1;

/// A 128-bit fingerprint of bytes: document and chunk identity.
struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Fingerprint&) const = default;
};

/// The 64 x 64 -> 128 bit product, folded: one multiply, the core of the hashes below.
inline std::uint64_t multiply_fold(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A bijection of 64 bits that spreads every input bit over every output bit.
inline std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

/// A fingerprint in one of several parts of a collection: equal ones stay equal within a part
/// alone. `part` is a hash; 0 leaves the fingerprint as it is.
inline Fingerprint in_part(std::uint64_t part, const Fingerprint& print) {
  return part == 0 ? print : Fingerprint{print.high ^ part, print.low ^ mix64(part)};
}

/// The inverse of mix64().
constexpr std::uint64_t unmix64(std::uint64_t x) {
  constexpr std::uint64_t inverse = 0xcfee444d8b59a89bULL;  // of its multiplier, modulo 2^64
  static_assert(inverse * 0xd6e8feb86659fd93ULL == 1);
  x ^= x >> 32;
  x *= inverse;
  x ^= x >> 32;
  x *= inverse;
  x ^= x >> 32;
  return x;
}

/// XXH3-128 of bytes under a seed. About 15 GB/s on one core.
Fingerprint fingerprint_bytes(std::string_view bytes, std::uint64_t seed = 0);

/// XXH3-64 of bytes: the checksum of every block twinset writes.
std::uint64_t checksum(std::string_view bytes, std::uint64_t seed = 0);

/// XXH3-64 of a stream of pieces: equal to checksum() of their concatenation.
class RunningChecksum {
 public:
  RunningChecksum();
  ~RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  void* state_;
};

/// XXH3-128 of a stream of pieces: equal to fingerprint_bytes() of their concatenation.
class RunningFingerprint {
 public:
  RunningFingerprint();
  ~RunningFingerprint();
  RunningFingerprint(const RunningFingerprint&) = delete;
  RunningFingerprint& operator=(const RunningFingerprint&) = delete;
  void add(std::string_view bytes);
  Fingerprint value() const;

 private:
  void* state_;
};

}  // namespace twinset
