#include "sketch/signature_bins.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

/// The stored form of simhash: a byte of its own, then words.
std::vector<std::uint8_t> distance_form(std::uint64_t word) {
  std::vector<std::uint8_t> stored(9);
  for (std::size_t i = 0; i < 8; ++i) stored[1 + i] = static_cast<std::uint8_t>(word >> (8 * i));
  return stored;
}

std::vector<std::uint8_t> coordinates_form(std::initializer_list<std::uint64_t> words) {
  std::vector<std::uint8_t> stored;
  for (const std::uint64_t word : words) {
    for (std::size_t i = 0; i < 8; ++i) {
      stored.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
    }
  }
  return stored;
}

TEST(SignatureBins, CountTheHighestByte) {
  SignatureBins far(Tells::distance);
  far.add(distance_form(0xab00000000000001));
  far.add(distance_form(0xab000000000000ff));
  far.add({});
  ASSERT_EQ(far.coordinates().size(), 1U);
  EXPECT_EQ(far.coordinates()[0][0xab], 2U);

  // A coordinate without a signature is not counted.
  SignatureBins lists(Tells::coordinate);
  lists.add(coordinates_form({0x01ull << 56, 0, 0x0fffull << 52}));
  SignatureBins more(Tells::coordinate);
  more.add(coordinates_form({0x01ull << 56, 0x02ull << 56, 0}));
  lists.add(more);
  ASSERT_EQ(lists.coordinates().size(), 3U);
  EXPECT_EQ(lists.coordinates()[0][1], 2U);
  EXPECT_EQ(lists.coordinates()[1][2], 1U);
  EXPECT_EQ(lists.coordinates()[2][0xff], 1U);
  EXPECT_EQ(lists.coordinates()[1][0] + lists.coordinates()[2][0], 0U);

  SignatureBins none(Tells::resemblance);
  none.add(distance_form(1));
  EXPECT_TRUE(none.coordinates().empty());
}

// S-29.
TEST(SignatureBins, ChiSquareTellsEvenBytesFromOthers) {
  EXPECT_EQ(chi_square({}), 0);
  ByteCounts even;
  even.fill(10);
  EXPECT_EQ(chi_square(even), 0);
  ByteCounts one{};
  one[7] = 256;  // 255^2 / 1 + 255 * 1
  EXPECT_DOUBLE_EQ(chi_square(one), 255.0 * 255 + 255);
  // Hashes of numbers: a mean of 255 and a standard deviation of 22.6 in each of 200 samples. The
  // mean of all is within 6 standard errors, and few are above the limit of one in a thousand.
  double sum = 0;
  int above = 0;
  constexpr int samples = 200;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    SignatureBins bins(Tells::distance);
    for (std::uint64_t i = 0; i < 4000; ++i) bins.add(distance_form(mix64(sample * 4000 + i + 1)));
    const double statistic = chi_square(bins.coordinates()[0]);
    sum += statistic;
    above += statistic > chi_square_limit ? 1 : 0;
  }
  EXPECT_NEAR(sum / samples, 255, 6 * 22.6 / 14.1);
  EXPECT_LE(above, 5);
}

}  // namespace
}  // namespace twinset
