// The hashes that name chunks and files, and how often they may be wrong.
//
//   hash_chunk("<p>Fish", ChunkHash::sha1)          // all 160 bits
//   expected_false_matches(40.5e9, 128)             // 2.4e-18: pairs of unlike chunks of one hash
//
// Names of chunks have 128 bits or more. "A tiny false positive rate is magnified by large
// corpora" ("Precise Detection of Content Reuse in the Web", 4.5 and 6.5): at 64 bits the paper's
// 40.5e9 chunks would have 44 false matches among themselves.
//
// Threads: pure functions.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace twinset {

enum class ChunkHash : std::uint8_t {
  xxh3,       ///< XXH3-128, seeded: fast; not against people who look for collisions
  sha1,       ///< as the paper's; two texts of one digest have been made
  sha256,     ///< as AuntieTuna's lists
  blake3,     ///< against people who look for collisions, faster than sha256
  blake3_128  ///< its first 128 bits
};

/// "xxh3", "sha1", "sha256", "blake3", "blake3_128", in the order of ChunkHash.
std::vector<std::string_view> chunk_hash_names();
std::string_view chunk_hash_name(ChunkHash hash);

/// The hash of that name; nothing for any other.
std::optional<ChunkHash> find_chunk_hash(std::string_view name);

/// 128, 160, 256, 256, 128.
int chunk_hash_bits(ChunkHash hash);

/// A hash of any kind; bytes that its kind does not have are 0.
struct ChunkDigest {
  std::array<std::uint8_t, 32> bytes{};

  /// The first 128 bits, big-endian: what is joined. All that XXH3-128 has.
  Fingerprint key() const;

  auto operator<=>(const ChunkDigest&) const = default;
};

/// The hash of normalized content. Only xxh3 has a seed.
ChunkDigest hash_chunk(std::string_view content, ChunkHash hash, std::uint64_t seed = 0);

/// In hexadecimal digits, as many as the kind has: 32, 40 or 64.
std::string to_hex(const ChunkDigest& digest, ChunkHash hash);

/// The digest of exactly so many digits, capitals or not; nothing for other texts.
std::optional<ChunkDigest> parse_hex(std::string_view hex, ChunkHash hash);

/// The expected pairs of unlike things with one hash among n distinct ones: n (n - 1) / 2^(b + 1).
double expected_false_matches(double things, int bits);

/// Likewise the expected number of things that one of m labels names wrongly, of n things that have
/// none: n m / 2^b.
double expected_false_labels(double things, double labels, int bits);

}  // namespace twinset
