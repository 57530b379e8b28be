// tests src/scheme/schemes/mod.cc through its spec. Its statistics are in statistics_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "scheme/little_endian.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

std::uint64_t modulus_of(const Sketch& sketch) {
  return load_little_endian<std::uint64_t>(sketch.stored.data());
}

std::set<std::uint64_t> sample_of(const Sketch& sketch) {
  return {sketch.values.begin(), sketch.values.end()};
}

std::unique_ptr<Scheme> fixed(std::uint64_t modulus) {
  return must_make("mod(modulus=" + std::to_string(modulus) + ")");
}

TEST(Mod, StoresItsModulusAndItsSampleSortedAndUnique) {
  for (const char* spec : {"mod", "mod(modulus=25)", "mod(modulus=1)"}) {
    const auto scheme = must_make(spec);
    for (const std::size_t count : {1U, 10U, 300U, 5000U}) {
      Shingles shingles = stream_shingles(count, count);
      shingles.insert(shingles.end(), shingles.begin(), shingles.end());
      const Sketch sketch = sketch_of(*scheme, shingles);
      ASSERT_EQ(sketch.stored.size(), 8 * (sketch.values.size() + 1));
      EXPECT_TRUE(std::ranges::is_sorted(sketch.values));
      EXPECT_EQ(sample_of(sketch).size(), sketch.values.size());
      for (std::size_t i = 0; i < sketch.values.size(); ++i) {
        EXPECT_EQ(load_little_endian<std::uint64_t>(&sketch.stored[8 * (i + 1)]), sketch.values[i]);
      }
    }
  }
}

// A5: V_(i+1) is a part of V_i, exactly: all of it that its modulus keeps.
// B-09.
TEST(Mod, SamplesNest) {
  const Shingles shingles = stream_shingles(3, 20000);
  std::set<std::uint64_t> finer = sample_of(sketch_of(*fixed(1), shingles));
  EXPECT_EQ(finer.size(), 20000U);
  for (int i = 1; i <= 12; ++i) {
    const std::set<std::uint64_t> coarser =
        sample_of(sketch_of(*fixed(std::uint64_t{1} << i), shingles));
    EXPECT_TRUE(std::ranges::includes(finer, coarser));
    EXPECT_LT(coarser.size(), finer.size());
    for (const std::uint64_t value : finer) {
      ASSERT_EQ(coarser.contains(value), value >> (64 - i) == 0);
    }
    finer = coarser;
  }
}

// Against its definition: the smallest power of two that leaves at most `samples`.
TEST(Mod, FitsTheModulusToTheDistinctShingles) {
  const auto adaptive = must_make("mod(samples=100)");
  for (const std::size_t count :
       {1U, 99U, 100U, 101U, 150U, 199U, 200U, 201U, 250U, 400U, 1000U, 50000U}) {
    for (const std::size_t repeats : {1U, 2U, 40U}) {
      const Shingles set = stream_shingles(count + 7, count);
      Shingles shingles;
      for (std::size_t i = 0; i < std::min<std::size_t>(repeats, 200000 / count + 1); ++i) {
        shingles.insert(shingles.end(), set.begin(), set.end());
      }
      const Sketch all = sketch_of(*fixed(1), set);
      std::uint64_t modulus = 1;
      std::size_t kept = all.values.size();
      while (kept > 100) {
        modulus *= 2;
        kept = static_cast<std::size_t>(std::ranges::count_if(
            all.values, [&](std::uint64_t value) { return value <= UINT64_MAX / modulus; }));
      }
      const Sketch sketch = sketch_of(*adaptive, shingles);
      EXPECT_EQ(modulus_of(sketch), modulus) << count << " x " << repeats;
      EXPECT_EQ(sketch.values, sketch_of(*fixed(modulus), set).values) << count << " x " << repeats;
    }
  }
}

// Crafted hashes are not uniform, and repeat by the ten thousand: memory while fitting must not
// grow with that, and the modulus must still be the one defined.
TEST(Mod, FitsTheModulusToCraftedDocuments) {
  const auto adaptive = must_make("mod(samples=64)");
  const auto whole = fixed(1);
  const Shingles pool = stream_shingles(5, 200000);
  const auto hash_of = [&](std::uint64_t shingle) {
    return sketch_of(*whole, {shingle}).values.front();
  };
  std::vector<Shingles> documents(3);
  for (std::size_t i = 0; i < pool.size() && documents[0].size() < 300; ++i) {
    if (hash_of(pool[i]) < UINT64_MAX / 256) documents[0].push_back(pool[i]);
  }
  // Many of few, then few of many; and the other way round.
  for (int times = 0; times < 700; ++times) {
    documents[1].insert(documents[1].end(), documents[0].begin(), documents[0].begin() + 60);
  }
  documents[2] = Shingles(pool.begin(), pool.begin() + 3000);
  documents[2].insert(documents[2].end(), documents[1].begin(), documents[1].end());
  documents[1].insert(documents[1].end(), pool.begin(), pool.begin() + 3000);
  for (const Shingles& shingles : documents) {
    ASSERT_GT(shingles.size(), 200U);
    const std::vector<std::uint64_t> all = sketch_of(*whole, shingles).values;
    std::uint64_t modulus = 1;
    while (std::ranges::count_if(
               all, [&](std::uint64_t value) { return value <= UINT64_MAX / modulus; }) > 64) {
      modulus *= 2;
    }
    const Sketch sketch = sketch_of(*adaptive, shingles);
    EXPECT_EQ(modulus_of(sketch), modulus);
    EXPECT_EQ(sketch.values, sketch_of(*fixed(modulus), shingles).values);
  }
}

TEST(Mod, ShortDocumentsAreKnownExactly) {
  const auto scheme = must_make("mod");
  const SetPair pair = make_pair_of_sets(1, 200, 150);
  const Comparison comparison =
      scheme->compare(sketch_of(*scheme, pair.a).stored, sketch_of(*scheme, pair.b).stored);
  EXPECT_DOUBLE_EQ(comparison.resemblance->value, 150 / 250.0);
  EXPECT_DOUBLE_EQ(comparison.containment_a_in_b->value, 0.75);
  EXPECT_EQ(comparison.resemblance->standard_error, 0);
}

// B-09: different moduli are compared at the coarser, as if both had it.
TEST(Mod, UnlikeModuliCompareAtTheCoarser) {
  const auto adaptive = must_make("mod");
  const Shingles longer = stream_shingles(1, 30000);
  const Shingles shorter(longer.begin() + 100, longer.begin() + 5100);
  const Sketch a = sketch_of(*adaptive, longer);
  const Sketch b = sketch_of(*adaptive, shorter);
  ASSERT_GT(modulus_of(a), modulus_of(b));
  const auto coarser = fixed(modulus_of(a));
  const Comparison unlike = adaptive->compare(a.stored, b.stored);
  const Comparison alike =
      coarser->compare(sketch_of(*coarser, longer).stored, sketch_of(*coarser, shorter).stored);
  EXPECT_EQ(unlike.resemblance->value, alike.resemblance->value);
  EXPECT_EQ(unlike.containment_a_in_b->value, alike.containment_a_in_b->value);
  EXPECT_EQ(unlike.containment_b_in_a->value, alike.containment_b_in_a->value);
  EXPECT_EQ(unlike.containment_b_in_a->value, 1);
}

// B-09: the modulus of the size class, whatever repeats; both ends of a class.
TEST(Mod, ScaleTakesTheModulusOfTheSizeClass) {
  const auto scheme = must_make("mod(scale=100)");
  struct Row {
    std::size_t size;
    std::uint64_t modulus;
  };
  for (const Row row : {Row{1, 1}, Row{99, 1}, Row{100, 1}, Row{199, 1}, Row{200, 2}, Row{399, 2},
                        Row{400, 4}, Row{799, 4}, Row{800, 8}, Row{102400, 1024}}) {
    Shingles shingles = stream_shingles(row.size, row.size);
    const Sketch once = sketch_of(*scheme, shingles);
    EXPECT_EQ(modulus_of(once), row.modulus) << row.size;
    EXPECT_EQ(once.values, sketch_of(*fixed(row.modulus), shingles).values) << row.size;
    shingles.insert(shingles.end(), shingles.begin(), shingles.end());
    EXPECT_EQ(sketch_of(*scheme, shingles).stored, once.stored) << row.size;
  }
  EXPECT_EQ(scheme->facts().blind_shingles, 0U);
}

// B-09: the shorter document's V_i is filtered to the longer's modulus.
TEST(Mod, SizeClassesCompareAtTheLongersModulus) {
  const auto scheme = must_make("mod(scale=100)");
  const Shingles longer = stream_shingles(1, 30000);
  const Shingles shorter(longer.begin() + 100, longer.begin() + 15100);
  const Sketch a = sketch_of(*scheme, longer);
  const Sketch b = sketch_of(*scheme, shorter);
  ASSERT_EQ(modulus_of(a), 256U);
  ASSERT_EQ(modulus_of(b), 128U);
  const auto coarser = fixed(256);
  const Comparison unlike = scheme->compare(a.stored, b.stored);
  const Comparison alike =
      coarser->compare(sketch_of(*coarser, longer).stored, sketch_of(*coarser, shorter).stored);
  EXPECT_EQ(unlike.resemblance->value, alike.resemblance->value);
  EXPECT_EQ(unlike.containment_b_in_a->value, 1);
}

TEST(Mod, RefusesAScaleThatLeavesSamplesEmptyOrTwoRulesAtOnce) {
  EXPECT_FALSE(make_scheme("mod(scale=15)", 0.8).ok());
  EXPECT_TRUE(make_scheme("mod(scale=16)", 0.8).ok());
  EXPECT_FALSE(make_scheme("mod(scale=100, modulus=25)", 0.8).ok());
}

// The keys that two documents of different moduli share are the intersection of the samples.
TEST(Mod, SharedKeysCountTheSharedSample) {
  const auto scheme = must_make("mod");
  const Shingles longer = stream_shingles(1, 30000);
  const Shingles shorter(longer.begin(), longer.begin() + 6000);
  const Sketch a = sketch_of(*scheme, longer);
  const Sketch b = sketch_of(*scheme, shorter);
  auto left = keys_of(*scheme, a);
  auto right = keys_of(*scheme, b);
  std::ranges::sort(left);
  std::ranges::sort(right);
  std::vector<std::uint64_t> shared;
  std::ranges::set_intersection(left, right, std::back_inserter(shared));
  const Comparison comparison = scheme->compare(a.stored, b.stored);
  EXPECT_EQ(static_cast<double>(shared.size()) / static_cast<double>(left.size()),
            comparison.containment_a_in_b->value);
}

// B-17: common keys leave both samples, and their common part, at the coarser modulus.
TEST(Mod, CommonKeysCountInNoSample) {
  const auto scheme = must_make("mod");
  const Shingles longer = stream_shingles(1, 30000);
  const Shingles shorter(longer.begin() + 100, longer.begin() + 6100);
  const Sketch a = sketch_of(*scheme, longer);
  const Sketch b = sketch_of(*scheme, shorter);
  const unsigned coarser = std::max(a.level, b.level);
  ASSERT_NE(a.level, b.level);
  std::vector<std::uint64_t> all = keys_of(*scheme, a);
  for (const std::uint64_t key : keys_of(*scheme, b)) all.push_back(key);
  for (const std::uint64_t one_in : {1U, 2U, 5U, 1000U}) {
    std::set<std::uint64_t> common;
    for (const std::uint64_t key : all) {
      if (key % one_in == 0) common.insert(key);
    }
    const auto left = [&](const Sketch& sketch) {
      std::set<std::uint64_t> keys;
      for (const std::uint64_t key : keys_of(*scheme, sketch)) {
        if (!common.contains(key) && scheme->key_level(key) >= coarser) keys.insert(key);
      }
      return keys;
    };
    const std::set<std::uint64_t> of_a = left(a);
    const std::set<std::uint64_t> of_b = left(b);
    std::vector<std::uint64_t> shared;
    std::ranges::set_intersection(of_a, of_b, std::back_inserter(shared));
    const std::vector<std::uint64_t> sorted(common.begin(), common.end());
    const Comparison found = scheme->compare(a.stored, b.stored, sorted);
    ASSERT_TRUE(found.counts.has_value());
    EXPECT_EQ(found.counts->in_a, of_a.size()) << one_in;
    EXPECT_EQ(found.counts->in_b, of_b.size()) << one_in;
    EXPECT_EQ(found.counts->shared, shared.size()) << one_in;
    EXPECT_EQ(found.containment_b_in_a.has_value(), !of_b.empty()) << one_in;
  }
}

// B-06: 0/0 is unknown.
TEST(Mod, EmptySamplesAreUnknown) {
  const auto scheme = fixed(1 << 20);
  const Sketch nothing = sketch_of(*scheme, stream_shingles(1, 3));
  ASSERT_TRUE(nothing.values.empty());
  EXPECT_FALSE(nothing.empty);
  EXPECT_TRUE(keys_of(*scheme, nothing).empty());
  const Comparison both = scheme->compare(nothing.stored, nothing.stored);
  EXPECT_FALSE(both.resemblance.has_value());
  EXPECT_FALSE(both.containment_a_in_b.has_value());
  EXPECT_FALSE(both.containment_b_in_a.has_value());

  const Sketch some = sketch_of(*scheme, stream_shingles(2, 5000000));
  ASSERT_FALSE(some.values.empty());
  const Comparison one = scheme->compare(nothing.stored, some.stored);
  EXPECT_EQ(one.resemblance->value, 0);
  EXPECT_FALSE(one.containment_a_in_b.has_value());
  EXPECT_EQ(one.containment_b_in_a->value, 0);
  EXPECT_GT(one.containment_b_in_a->standard_error, 0);
}

TEST(Mod, BlindLengthIsWhereOneInAHundredIsEmpty) {
  EXPECT_EQ(must_make("mod")->facts().blind_shingles, 0U);
  EXPECT_EQ(fixed(1)->facts().blind_shingles, 0U);
  for (const std::uint64_t modulus : {16U, 25U, 1000U}) {
    const auto blind = static_cast<double>(fixed(modulus)->facts().blind_shingles);
    const double dropped = 1 - 1 / static_cast<double>(modulus);
    EXPECT_LE(std::pow(dropped, blind), 0.01);
    EXPECT_GT(std::pow(dropped, blind - 1), 0.01);
  }
  EXPECT_EQ(fixed(25)->facts().blind_shingles, 113U);
}

TEST(Mod, BrokenStoredFormsAreUnknown) {
  const auto scheme = must_make("mod");
  const Sketch sketch = sketch_of(*scheme, stream_shingles(1, 100));
  std::vector<std::uint8_t> cut(sketch.stored.begin(), sketch.stored.end() - 1);
  EXPECT_FALSE(scheme->compare(sketch.stored, cut).resemblance.has_value());
  const std::vector<std::uint8_t> zero_modulus(24, 0);
  EXPECT_FALSE(scheme->compare(sketch.stored, zero_modulus).resemblance.has_value());
  EXPECT_FALSE(scheme->compare({}, sketch.stored).resemblance.has_value());
  // Values that no sketch would hold: anything but a crash.
  const std::vector<std::uint8_t> ones(24, 0xff);
  static_cast<void>(scheme->compare(sketch.stored, ones));
}

// B-07: the paper's 40 bits. Fewer bits collide as often as chance has it.
TEST(Mod, FewerBitsAreTheUpperOnesAndCollideAsByChance) {
  const auto whole = make_scheme("mod(modulus=1)", 0.5);
  const auto cut = make_scheme("mod(modulus=1, bits=40)", 0.5);
  ASSERT_TRUE(cut.ok());
  std::mt19937_64 random(40);
  std::vector<std::uint64_t> shingles(1000);
  for (std::uint64_t& shingle : shingles) shingle = random();
  Sketch all;
  Sketch upper;
  whole.value()->sketch(GivenView(shingles), all);
  cut.value()->sketch(GivenView(shingles), upper);
  ASSERT_EQ(all.values.size(), upper.values.size());
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    EXPECT_EQ(upper.values[i], all.values[i] >> 24 << 24);
  }
  // Of a million values in 32 bits 116.4 pairs are equal by chance (reliability A16); sketches of
  // that size are made of parts that differ from each other.
  for (const char* spec :
       {"mod(shingle=1, modulus=1, bits=32)", "mod(shingle=1, modulus=1, bits=32, hash=rabin)"}) {
    const auto narrow = must_make(spec);
    std::vector<std::uint64_t> values;
    for (int part = 0; part < 1000; ++part) {
      for (std::uint64_t& shingle : shingles) shingle = random();
      upper = sketch_of_tokens(*narrow, shingles);
      values.insert(values.end(), upper.values.begin(), upper.values.end());
    }
    std::sort(values.begin(), values.end());
    std::size_t equal = 1'000'000 - values.size();  // those within a part are one already
    for (std::size_t i = 1; i < values.size(); ++i) equal += values[i] == values[i - 1] ? 1 : 0;
    EXPECT_GE(equal, 64U) << spec;
    EXPECT_LE(equal, 178U) << spec;
  }
}

// B-07: Rabin's fingerprints, under a name of their own.
TEST(Mod, RabinsFingerprintsAreANamedHash) {
  EXPECT_EQ(must_make("mod")->spec().find("hash"), std::string::npos)
      << "specs of the default are as they were";
  const auto scheme = must_make("mod(shingle=3, modulus=1, bits=40, hash=rabin)");
  EXPECT_EQ(scheme->spec(),
            "mod(shingle=3, modulus=1, samples=256, scale=0, bits=40, seed=0, hash=rabin)");
  const Sketch all = sketch_text(*scheme, "a b c d e f g h");
  EXPECT_EQ(all.values.size(), 6U);
  for (const std::uint64_t value : all.values) EXPECT_EQ(value & 0xffffff, 0U);
  // Windows in the middle of a text are the windows of its part.
  const Sketch part = sketch_text(*scheme, "c d e f");
  ASSERT_EQ(part.values.size(), 2U);
  for (const std::uint64_t value : part.values) {
    EXPECT_TRUE(std::ranges::binary_search(all.values, value));
  }
  EXPECT_EQ(sketch_text(*scheme, "a b").values.size(), 1U) << "a short text is one shingle";
  EXPECT_NE(sketch_text(*must_make("mod(shingle=3, modulus=1, bits=40, hash=rabin, seed=1)"),
                        "a b c d e f g h")
                .values,
            all.values);
  const auto given =
      must_make("mod(shingle=3, modulus=1, bits=40, hash=rabin, polynomial=10000000039)");
  EXPECT_NE(given->spec().find("polynomial=10000000039"), std::string::npos);
  EXPECT_NE(sketch_text(*given, "a b c d e f g h").values, all.values);
  // Shingles that no words made have fingerprints of their numbers.
  EXPECT_EQ(sketch_of(*scheme, stream_shingles(1, 500)).values.size(), 500U);
}

TEST(Mod, AReduciblePolynomialIsRefused) {
  const auto message = [](const std::string& parameters) {
    const auto refused = make_scheme("mod(" + parameters + ")", 0.5);
    return refused.ok() ? "" : refused.error().message;
  };
  EXPECT_EQ(message("bits=40, hash=rabin, polynomial=10000000001"),
            "scheme mod: polynomial=10000000001 is a product of polynomials, and unlike shingles "
            "could be equal by their common factors; give an irreducible one, or none for a random "
            "one");
  EXPECT_NE(message("hash=rabin, polynomial=10000000039").find("of degree 64"), std::string::npos);
  EXPECT_NE(message("hash=rabin, polynomial=many").find("hexadecimal"), std::string::npos);
  EXPECT_NE(message("bits=40, polynomial=10000000039").find("hash=rabin"), std::string::npos);
  EXPECT_EQ(message("hash=rabin, polynomial=1000000000000001b"), "");
}

TEST(Mod, KeysOfAPartKeepTheirLevelAndMeetNoOthers) {
  const auto scheme = must_make("mod(samples=64)");
  const Sketch sketch = sketch_of(*scheme, stream_shingles(1, 100'000));
  std::vector<std::uint64_t> keys;
  scheme->keys(sketch, keys);
  ASSERT_GT(keys.size(), 30U);
  std::set<std::uint64_t> all(keys.begin(), keys.end());
  const std::size_t distinct = all.size();
  std::mt19937_64 random(5);
  for (std::size_t part = 1; part <= 20; ++part) {
    const std::uint64_t hash = random();
    for (const std::uint64_t key : keys) {
      const std::uint64_t in_part = scheme->key_in(hash, key);
      EXPECT_EQ(scheme->key_level(in_part), scheme->key_level(key));
      EXPECT_EQ(scheme->key_in(0, key), key);
      all.insert(in_part);
    }
    EXPECT_EQ(all.size(), (part + 1) * distinct);
  }
}

}  // namespace
}  // namespace twinset
