// Pieces of 1,024 bytes are hashed one by one, 64 bytes at a time, and are the leaves of a binary
// tree, of which each left part has the most pieces that are a power of two and leave one for the
// right. The last step, at the root, is marked. Sections are those of the paper.
//
// This file's interface is base/blake3.h.
#include "base/blake3.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace twinset {
namespace {

constexpr std::size_t piece_bytes = 1024;
constexpr std::size_t block_bytes = 64;

using Words = std::array<std::uint32_t, 8>;
using Block = std::array<std::uint32_t, 16>;

/// Table 1: those of SHA-256.
constexpr Words start{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
/// Table 2.
constexpr std::array<std::size_t, 16> permutation{2, 6,  3,  10, 7, 0,  4,  13,
                                                  1, 11, 12, 5,  9, 14, 15, 8};
/// Table 3.
enum Flag : std::uint32_t { piece_begins = 1, piece_ends = 2, parent = 4, root = 8 };

/// Section 2.2: mixes two words of a block into a column or a diagonal.
void mix(Block& state, std::array<std::size_t, 4> at, std::uint32_t x, std::uint32_t y) {
  auto& [a, b, c, d] = at;
  state[a] += state[b] + x;
  state[d] = std::rotr(state[d] ^ state[a], 16);
  state[c] += state[d];
  state[b] = std::rotr(state[b] ^ state[c], 12);
  state[a] += state[b] + y;
  state[d] = std::rotr(state[d] ^ state[a], 8);
  state[c] += state[d];
  state[b] = std::rotr(state[b] ^ state[c], 7);
}

Words compress(const Words& chaining, Block block, std::uint64_t counter, std::size_t bytes,
               std::uint32_t flags) {
  Block state{};
  std::ranges::copy(chaining, state.begin());
  std::copy_n(start.begin(), 4, state.begin() + 8);
  state[12] = static_cast<std::uint32_t>(counter);
  state[13] = static_cast<std::uint32_t>(counter >> 32);
  state[14] = static_cast<std::uint32_t>(bytes);
  state[15] = flags;
  for (int round = 0; round < 7; ++round) {
    for (std::size_t i = 0; i < 4; ++i) {
      mix(state, {i, 4 + i, 8 + i, 12 + i}, block[2 * i], block[2 * i + 1]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      mix(state, {i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4}, block[8 + 2 * i],
          block[9 + 2 * i]);
    }
    Block permuted;
    for (std::size_t i = 0; i < 16; ++i) permuted[i] = block[permutation[i]];
    block = permuted;
  }
  Words out;
  for (std::size_t i = 0; i < 8; ++i) out[i] = state[i] ^ state[8 + i];
  return out;
}

/// Little-endian words of at most 64 bytes; zeros stand for missing ones.
Block block_of(std::string_view bytes) {
  Block block{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    block[i / 4] |= std::uint32_t{static_cast<std::uint8_t>(bytes[i])} << 8 * (i % 4);
  }
  return block;
}

Words hash_piece(std::string_view bytes, std::uint64_t number, std::uint32_t flags) {
  Words chaining = start;
  std::uint32_t begins = piece_begins;
  for (; bytes.size() > block_bytes; bytes.remove_prefix(block_bytes)) {
    chaining = compress(chaining, block_of(bytes.substr(0, block_bytes)), number, block_bytes,
                        std::exchange(begins, 0));
  }
  return compress(chaining, block_of(bytes), number, bytes.size(), begins | piece_ends | flags);
}

/// Section 2.1. As deep as the tree, so at most 54 calls within one another.
Words hash_tree(std::string_view bytes, std::uint64_t first_piece, std::uint32_t flags) {
  if (bytes.size() <= piece_bytes) return hash_piece(bytes, first_piece, flags);
  const std::size_t left_pieces = std::bit_floor((bytes.size() - 1) / piece_bytes);
  const std::string_view left = bytes.substr(0, left_pieces * piece_bytes);
  bytes.remove_prefix(left.size());
  Block both;
  std::ranges::copy(hash_tree(left, first_piece, 0), both.begin());
  std::ranges::copy(hash_tree(bytes, first_piece + left_pieces, 0), both.begin() + 8);
  return compress(start, both, 0, block_bytes, parent | flags);
}

}  // namespace

std::array<std::uint8_t, 32> blake3(std::string_view bytes) {
  const Words words = hash_tree(bytes, 0, root);
  std::array<std::uint8_t, 32> digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(words[i / 4] >> 8 * (i % 4));
  }
  return digest;
}

}  // namespace twinset
