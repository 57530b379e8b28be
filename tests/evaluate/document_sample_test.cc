#include "evaluate/document_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "evaluate/random.h"

namespace twinset {
namespace {

using Shingles = std::vector<std::uint64_t>;

Shingles shingles_of(std::uint64_t document, std::size_t count) {
  Shingles out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(derive_seed(17, document, i));
  return out;
}

void add(DocumentSample& sample, std::uint64_t record, std::size_t bytes = 10) {
  sample.add(std::string(bytes, 'x'), shingles_of(record, 20), {0, record, "", "", false});
}

std::set<std::uint64_t> records_of(DocumentSample sample) {
  std::set<std::uint64_t> records;
  std::uint64_t last = 0;
  for (const SampledDocument& document : std::move(sample).take()) {
    EXPECT_GE(document.place.record, last);
    last = document.place.record;
    records.insert(last);
  }
  return records;
}

TEST(DocumentSample, IsTheSameInAnyOrder) {
  DocumentSample forward({.documents = 50}, 3);
  DocumentSample backward({.documents = 50}, 3);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    add(forward, i);
    add(backward, 999 - i);
  }
  EXPECT_EQ(forward.seen(), 1'000u);
  EXPECT_EQ(forward.size(), 50u);
  EXPECT_EQ(records_of(forward), records_of(backward));
}

TEST(DocumentSample, HoldsWhatItMayInAnyOrder) {
  const SampleLimits limits{.documents = 1'000, .bytes = 5'000};
  DocumentSample forward(limits, 3);
  DocumentSample backward(limits, 3);
  for (std::uint64_t i = 0; i < 500; ++i) {
    add(forward, i, 1 + i % 97);
    add(backward, 499 - i, 1 + (499 - i) % 97);
  }
  EXPECT_LE(forward.bytes(), 5'000u);
  EXPECT_TRUE(forward.too_much_text());
  EXPECT_GT(forward.bytes(), 4'000u);
  EXPECT_EQ(records_of(forward), records_of(backward));
}

TEST(DocumentSample, PassesOverWhatItCannotUse) {
  DocumentSample sample({.documents = 10, .document_bytes = 20}, 1);
  sample.add("no shingles", {}, {0, 1, "", "", false});
  add(sample, 2, 21);
  add(sample, 3, 20);
  EXPECT_EQ(sample.seen(), 2u);
  EXPECT_EQ(sample.passed_over(), 1u);
  EXPECT_EQ(records_of(sample), std::set<std::uint64_t>{3});
}

TEST(DocumentSample, TakesTenOfALargeCluster) {
  DocumentSample sample({.documents = 100}, 5);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    sample.add("copy", shingles_of(0, 20), {0, i, "", "", false});
  }
  EXPECT_EQ(sample.size(), 10u);
  EXPECT_EQ(sample.bytes(), 40u);
  EXPECT_EQ(sample.too_alike(), 990u);
  EXPECT_FALSE(sample.too_much_text());
}

// Lengths from 1 to 500 shingles, about evenly by their logarithm, some of them repeated. By the
// inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, which covers draws without
// replacement, the distribution of the lengths of n sampled documents is anywhere further than
// sqrt(ln(2e8) / 2n) from that of all with a chance below 1e-8: .069 for 2,000. Sampled by the
// least hash alone, documents of n shingles came n times as often as those of one, and nearly all
// were longer than the median.
TEST(DocumentSample, LengthsAreThoseOfTheCollection) {
  constexpr std::uint64_t documents = 20'000;
  constexpr std::size_t sampled = 2'000;
  const auto length = [](std::uint64_t document) {
    return static_cast<std::size_t>(
        std::exp(SeededRandom(derive_seed(8, document)).unit() * std::log(500.0)));
  };
  DocumentSample sample({.documents = sampled, .bytes = std::uint64_t{1} << 30}, 21);
  std::vector<std::size_t> lengths;
  for (std::uint64_t document = 0; document < documents; ++document) {
    Shingles shingles = shingles_of(document, length(document));
    if (document % 3 == 0) shingles.insert(shingles.end(), 50, shingles.front());
    sample.add("text", shingles, {0, document, "", "", false});
    lengths.push_back(length(document));
  }
  std::vector<std::size_t> taken;
  for (const SampledDocument& document : std::move(sample).take()) {
    taken.push_back(lengths[document.place.record]);
  }
  ASSERT_EQ(taken.size(), sampled);
  std::ranges::sort(lengths);
  std::ranges::sort(taken);
  double furthest = 0;
  for (std::size_t of = 1; of <= 500; ++of) {
    const auto share = [of](const std::vector<std::size_t>& sorted) {
      return static_cast<double>(std::ranges::upper_bound(sorted, of) - sorted.begin()) /
             static_cast<double>(sorted.size());
    };
    furthest = std::max(furthest, std::abs(share(taken) - share(lengths)));
  }
  EXPECT_LT(furthest, 0.069);
}

// 2,000 pairs that share 3 of each one's 4 shingles, among 4,000 documents, a tenth of which is
// taken. If one of a pair is taken, its least shingle is also the other's in three of four cases;
// else the other is taken by chance.
TEST(DocumentSample, BringsPartnersAlong) {
  std::uint64_t taken = 0;
  std::uint64_t with_partner = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    DocumentSample sample({.documents = 400}, seed);
    for (std::uint64_t pair = 0; pair < 2'000; ++pair) {
      for (std::uint64_t side = 0; side < 2; ++side) {
        Shingles shingles = shingles_of(pair, 3);
        shingles.push_back(derive_seed(99, pair, side));
        sample.add("text", shingles, {side, pair, "", "", false});
      }
    }
    std::multiset<std::uint64_t> pairs;
    for (const SampledDocument& document : std::move(sample).take()) {
      pairs.insert(document.place.record);
    }
    for (const std::uint64_t pair : pairs) with_partner += pairs.count(pair) == 2 ? 1 : 0;
    taken += pairs.size();
  }
  EXPECT_EQ(taken, 8'000u);
  // Hoeffding at 1e-8 over at least 4,000 independent pairs: 0.049; plus the share of a last
  // document without its partner.
  EXPECT_NEAR(static_cast<double>(with_partner) / static_cast<double>(taken), 0.75 + 0.25 * 0.08,
              0.055);
}

}  // namespace
}  // namespace twinset
