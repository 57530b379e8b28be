#include "web/chunk_hash.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/blake3.h"
#include "base/sha1.h"
#include "base/sha256.h"

namespace twinset {
namespace {

struct Kind {
  std::string_view name;
  int bits;
};
/// In the order of ChunkHash.
constexpr std::array<Kind, 5> kinds{
    {{"xxh3", 128}, {"sha1", 160}, {"sha256", 256}, {"blake3", 256}, {"blake3_128", 128}}};

constexpr std::string_view digits = "0123456789abcdef";

std::size_t byte_count(ChunkHash hash) {
  return static_cast<std::size_t>(chunk_hash_bits(hash)) / 8;
}

void store_big_endian(std::uint64_t value, std::uint8_t* bytes) {
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
}

std::uint64_t load_big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

std::vector<std::string_view> chunk_hash_names() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::string_view chunk_hash_name(ChunkHash hash) {
  return kinds[static_cast<std::size_t>(hash)].name;
}

std::optional<ChunkHash> find_chunk_hash(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &Kind::name);
  if (found == kinds.end()) return std::nullopt;
  return static_cast<ChunkHash>(found - kinds.begin());
}

int chunk_hash_bits(ChunkHash hash) { return kinds[static_cast<std::size_t>(hash)].bits; }

Fingerprint ChunkDigest::key() const {
  return {load_big_endian(bytes.data()), load_big_endian(bytes.data() + 8)};
}

ChunkDigest hash_chunk(std::string_view content, ChunkHash hash, std::uint64_t seed) {
  ChunkDigest digest;
  switch (hash) {
    case ChunkHash::xxh3: {
      const Fingerprint fingerprint = fingerprint_bytes(content, seed);
      store_big_endian(fingerprint.high, digest.bytes.data());
      store_big_endian(fingerprint.low, digest.bytes.data() + 8);
      break;
    }
    case ChunkHash::sha1:
      std::ranges::copy(sha1(content), digest.bytes.begin());
      break;
    case ChunkHash::sha256:
      digest.bytes = sha256(content);
      break;
    case ChunkHash::blake3:
    case ChunkHash::blake3_128:
      digest.bytes = blake3(content);
      std::fill(digest.bytes.begin() + static_cast<std::ptrdiff_t>(byte_count(hash)),
                digest.bytes.end(), std::uint8_t{0});
      break;
  }
  return digest;
}

std::string to_hex(const ChunkDigest& digest, ChunkHash hash) {
  std::string hex;
  for (std::size_t i = 0; i < byte_count(hash); ++i) {
    hex += digits[digest.bytes[i] >> 4];
    hex += digits[digest.bytes[i] & 15];
  }
  return hex;
}

std::optional<ChunkDigest> parse_hex(std::string_view hex, ChunkHash hash) {
  if (hex.size() != 2 * byte_count(hash)) return std::nullopt;
  ChunkDigest digest;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const char c = hex[i];
    const std::size_t value = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c);
    if (value == std::string_view::npos) return std::nullopt;
    digest.bytes[i / 2] = static_cast<std::uint8_t>(digest.bytes[i / 2] << 4 | value);
  }
  return digest;
}

double expected_false_matches(double things, int bits) {
  return std::ldexp(things * (things - 1), -bits - 1);
}

double expected_false_labels(double things, double labels, int bits) {
  return std::ldexp(things * labels, -bits);
}

}  // namespace twinset
