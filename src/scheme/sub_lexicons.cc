#include "scheme/sub_lexicons.h"

#include <array>
#include <string>

#include "scheme/little_endian.h"

namespace twinset {
namespace {

/// Each digest gives five numbers of 32 bits.
constexpr std::size_t digest_words = 5;

}  // namespace

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
