// The 64-bit hash of a canonical token: a function of its folded bytes, equal on
// every CPU.
//
//   token_hash("rose");                      // any bytes, nothing read past them
//   TokenHasher h; h.add("ro"); h.add("se"); // the same in pieces
//   token_hash_padded(p, 4);                 // the same, if 16 bytes are readable
//
// Words are read little-endian, and multiplied 64 x 64 -> 128 bits. The token is cut into blocks of
// 16 bytes; the last has 1 to 16 bytes and is padded with zeros:
//
//   state = k[2]
//   each block (a, b) but the last:  state = multiply_fold(a ^ k[1], b ^ state)
//   the last (a, b):                 low, high = (a ^ k[1]) * (b ^ state)
//   hash = multiply_fold(low ^ k[0] ^ length, high ^ k[1])
//
// One multiply spreads a token's bits over 128, the other folds them: as far as a test of a million
// tokens can see, every output bit depends on every input bit. A change here changes the analyzers'
// versions.
//
// Threads: pure functions; a TokenHasher belongs to one thread.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hash.h"

namespace twinset {

namespace token_hash_detail {

static_assert(std::endian::native == std::endian::little, "words are read little-endian");

inline constexpr std::size_t hash_block_bytes = 16;
inline constexpr std::array<std::uint64_t, 3> keys{0x9e3779b97f4a7c15ULL, 0xa0761d6478bd642fULL,
                                                   0xe7037ed1a0b428dbULL};

/// For a last block of 0 to 16 bytes: ones in the bytes that it has.
struct BlockMask {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
inline constexpr auto block_masks = [] {
  std::array<BlockMask, hash_block_bytes + 1> masks{};
  for (std::size_t bytes = 0; bytes <= hash_block_bytes; ++bytes) {
    const auto ones = [](std::size_t n) {
      return n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
    };
    masks[bytes] = {ones(bytes), ones(bytes < 8 ? 0 : bytes - 8)};
  }
  return masks;
}();

inline std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

inline std::uint64_t next_state(std::uint64_t state, std::uint64_t first, std::uint64_t second) {
  return multiply_fold(first ^ keys[1], second ^ state);
}

inline std::uint64_t finish(std::uint64_t state, std::uint64_t first, std::uint64_t second,
                            std::uint64_t length) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(first ^ keys[1]) * (second ^ state);
  return multiply_fold(static_cast<std::uint64_t>(product) ^ keys[0] ^ length,
                       static_cast<std::uint64_t>(product >> 64) ^ keys[1]);
}

}  // namespace token_hash_detail

/// The hash of a token that arrives in pieces.
class TokenHasher {
 public:
  void add(const std::uint8_t* bytes, std::size_t count) {
    length_ += count;
    while (count > 0) {
      // A full block waits here until it is known not to be the last.
      if (filled_ == token_hash_detail::hash_block_bytes) {
        state_ = token_hash_detail::next_state(state_, word(0), word(8));
        filled_ = 0;
      }
      const std::size_t room = token_hash_detail::hash_block_bytes - filled_;
      const std::size_t taken = count < room ? count : room;
      std::memcpy(block_.data() + filled_, bytes, taken);
      filled_ += taken;
      bytes += taken;
      count -= taken;
    }
  }

  std::uint64_t value() const {
    const auto& mask = token_hash_detail::block_masks[filled_];
    return token_hash_detail::finish(state_, word(0) & mask.first, word(8) & mask.second, length_);
  }

 private:
  std::uint64_t word(std::size_t i) const { return token_hash_detail::load_word(&block_[i]); }

  std::array<std::uint8_t, token_hash_detail::hash_block_bytes> block_{};
  std::size_t filled_ = 0;
  std::uint64_t state_ = token_hash_detail::keys[2];
  std::uint64_t length_ = 0;
};

/// The hash of a token's folded bytes.
inline std::uint64_t token_hash(std::string_view bytes) {
  TokenHasher hasher;
  hasher.add(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return hasher.value();
}

/// The same, if bytes up to the next multiple of 16 (at least 16) are readable.
inline std::uint64_t token_hash_padded(const std::uint8_t* bytes, std::size_t length) {
  using namespace token_hash_detail;
  std::uint64_t state = keys[2];
  std::size_t left = length;
  while (left > hash_block_bytes) [[unlikely]] {
      state = next_state(state, load_word(bytes), load_word(bytes + 8));
      bytes += hash_block_bytes;
      left -= hash_block_bytes;
    }
  const BlockMask& mask = block_masks[left];
  return finish(state, load_word(bytes) & mask.first, load_word(bytes + 8) & mask.second, length);
}

}  // namespace twinset
