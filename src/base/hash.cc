// Byte hashes from xxHash, whose XXH3 results are fixed by its specification and
// equal on every CPU.
//
// This file's interface is base/hash.h; the rest is private.
#include "base/hash.h"

#include <xxhash.h>
#ifdef TWINSET_XXHASH_DISPATCH
#include <xxh_x86dispatch.h>  // The same functions, in the best instructions of the CPU.
#endif

#include <array>
#include <cassert>

namespace twinset {
namespace {

/// xxHash detects the CPU at its first long hash: do that here, before threads exist that could
/// race.
[[maybe_unused]] const std::uint64_t looked = [] {
  constexpr std::array<char, 1024> something{};
  return XXH3_64bits_withSeed(something.data(), something.size(), 0);
}();

XXH3_state_t* xxh3(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

Fingerprint fingerprint_bytes(std::string_view bytes, std::uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.high64, hash.low64};
}

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

RunningChecksum::RunningChecksum() : state_(XXH3_createState()) {
  assert(state_ != nullptr);
  XXH3_64bits_reset(xxh3(state_));
}

RunningChecksum::~RunningChecksum() { XXH3_freeState(xxh3(state_)); }

void RunningChecksum::add(std::string_view bytes) {
  XXH3_64bits_update(xxh3(state_), bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const { return XXH3_64bits_digest(xxh3(state_)); }

RunningFingerprint::RunningFingerprint() : state_(XXH3_createState()) {
  assert(state_ != nullptr);
  XXH3_128bits_reset(xxh3(state_));
}

RunningFingerprint::~RunningFingerprint() { XXH3_freeState(xxh3(state_)); }

void RunningFingerprint::add(std::string_view bytes) {
  XXH3_128bits_update(xxh3(state_), bytes.data(), bytes.size());
}

Fingerprint RunningFingerprint::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(xxh3(state_));
  return {hash.high64, hash.low64};
}

}  // namespace twinset
