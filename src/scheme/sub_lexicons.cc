// SHA-1 is used as a function that cannot be told from a random one without its key: the key and
// the purpose stand in front of input of fixed length. Each digest gives five numbers of 32 bits.
//
// This file's interface is scheme/sub_lexicons.h; the rest is private.
#include "scheme/sub_lexicons.h"

#include <string>

#include "scheme/kernels/sha1.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

constexpr std::size_t digest_words = 5;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') return (c | 0x20) - 'a' + 10;
  return -1;
}

/// The digest of the key, a purpose and two numbers.
class KeyedHash {
 public:
  KeyedHash(const SecretKey& key, std::string_view purpose) {
    input_.assign(key.bytes.begin(), key.bytes.end());
    input_ += purpose;
    input_ += '\0';
    front_ = input_.size();
    input_.resize(front_ + 16);
  }

  std::array<std::uint8_t, 20> operator()(std::uint64_t first, std::uint64_t second) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      input_[front_ + byte] = static_cast<char>(first >> 8 * byte);
      input_[front_ + 8 + byte] = static_cast<char>(second >> 8 * byte);
    }
    return sha1(input_);
  }

 private:
  std::string input_;
  std::size_t front_ = 0;
};

}  // namespace

Result<SecretKey> SecretKey::parse(std::string_view digits) {
  SecretKey key;
  constexpr std::size_t most = 2 * std::tuple_size_v<decltype(key.bytes)>;
  const std::string all = std::string(most - std::min(most, digits.size()), '0').append(digits);
  bool good = !digits.empty() && all.size() == most;
  for (std::size_t i = 0; good && i < most; ++i) {
    const int value = hex_value(all[i]);
    good = value >= 0;
    key.bytes[i / 2] = static_cast<std::uint8_t>(key.bytes[i / 2] << 4 | (value & 15));
  }
  if (good) return key;
  return usage_error("seed=" + std::string(digits) +
                     " is not a secret: it is 1 to 32 hexadecimal digits");
}

std::uint64_t SecretKey::number(std::string_view purpose, std::uint64_t counter) const {
  return load_little_endian<std::uint64_t>(KeyedHash(*this, purpose)(counter, 0).data());
}

void bag_terms(const SecretKey& key, std::string_view part, unsigned lists,
               std::span<std::uint32_t> masks) {
  KeyedHash hash(key, "bag " + std::string(part));
  for (unsigned list = 1; list <= lists; ++list) {
    std::array<std::uint8_t, 4 * digest_words> digest{};
    for (std::size_t drawn = 0; drawn < masks.size(); ++drawn) {
      if (drawn % digest_words == 0) digest = hash(list, drawn);
      // The high half of a product spreads draws over the terms: no term is more probable than
      // another by more than their number in 2^32.
      const std::uint64_t draw =
          load_little_endian<std::uint32_t>(digest.data() + 4 * (drawn % digest_words));
      masks[static_cast<std::size_t>((draw * masks.size()) >> 32)] |= std::uint32_t{1} << list;
    }
  }
}

void drop_terms(const SecretKey& key, const Ratio& share, unsigned lists,
                std::span<const std::uint64_t> hashes, std::span<std::uint32_t> masks) {
  KeyedHash hash(key, "drop");
  const std::uint64_t least = (std::uint64_t{share.numerator()} << 32) / share.denominator();
  for (std::size_t term = 0; term < hashes.size(); ++term) {
    std::array<std::uint8_t, 4 * digest_words> digest{};
    for (unsigned list = 1; list <= lists; ++list) {
      const unsigned word = (list - 1) % digest_words;
      if (word == 0) digest = hash(hashes[term], list);
      if (load_little_endian<std::uint32_t>(digest.data() + 4 * word) >= least) {
        masks[term] |= std::uint32_t{1} << list;
      }
    }
  }
}

}  // namespace twinset
