// Bytes held in blocks are read back from any place.
#include "collection/held_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

char byte_at(std::uint64_t place) { return static_cast<char>(place * 2654435761U >> 13); }

TEST(HeldBytes, AreReadFromAnyPlace) {
  HeldBytes held;
  constexpr std::uint64_t size = 2 * HeldBytes::block_bytes + 12'345;
  std::string piece;
  std::uint64_t added = 0;
  for (std::size_t step = 1; added < size; step = step * 3 % 10'000'019) {
    piece.clear();
    for (std::size_t i = 0; i < step && added + i < size; ++i) piece += byte_at(added + i);
    ASSERT_TRUE(held.append(piece).ok());
    added += piece.size();
    ASSERT_EQ(held.size(), added);
  }
  EXPECT_GE(held.memory_bytes(), size);
  EXPECT_LE(held.memory_bytes(), size + 2 * HeldBytes::block_bytes);
  for (const std::uint64_t at :
       {std::uint64_t{0}, HeldBytes::block_bytes - 7, 2 * HeldBytes::block_bytes - 1, size - 3}) {
    for (const std::size_t wanted : {1U, 20U, 5'000'000U}) {
      std::string got(wanted, '\0');
      got.resize(held.read_at(at, got.data(), wanted));
      ASSERT_EQ(got.size(), std::min<std::uint64_t>(wanted, size - at));
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], byte_at(at + i)) << at + i;
    }
  }
  char none = 0;
  EXPECT_EQ(held.read_at(size, &none, 1), 0U);
}

TEST(HeldBytes, AFewTakeLittle) {
  HeldBytes held;
  ASSERT_TRUE(held.append("abc").ok());
  EXPECT_LE(held.memory_bytes(), 4096U);
}

}  // namespace
}  // namespace twinset
