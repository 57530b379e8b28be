// Found pairs against each pair looked at by itself.
#include "calibrate/found_pairs.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "evaluate/random.h"
#include "evaluate/tokens_for_tests.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

/// Documents of many lengths, some edited copies of others, some empty.
class FoundPairsTest : public ::testing::Test {
 protected:
  FoundPairsTest() : corpus_(related_texts(4, 60)) {
    corpus_.texts.emplace_back("?");
    corpus_.tokens.emplace_back();
    analyses_.resize(corpus_.texts.size());
    std::vector<std::span<const std::uint64_t>> tokens;
    for (std::size_t i = 0; i < analyses_.size(); ++i) {
      analyses_[i].tokens = corpus_.tokens[i];
      tokens.emplace_back(analyses_[i].tokens);
      views_.emplace_back(corpus_.texts[i], analyses_[i]);
    }
    shingles_.emplace(ShingleCollection::make(tokens, 5, std::uint64_t{1} << 30).value());
    options_.files = &disk();
  }

  Result<FoundPairs> make(const std::string& spec) const {
    return FoundPairs::make(spec, views_, *shingles_, options_);
  }
  std::uint32_t documents() const { return static_cast<std::uint32_t>(views_.size()); }

  /// at() does not depend on the order, and is of the scheme's own pairs.
  void expect_complete(const FoundPairs& found) const {
    std::size_t pairs = 0;
    for (std::uint32_t a = 0; a < documents(); ++a) {
      for (std::uint32_t b = a + 1; b < documents(); ++b) {
        EXPECT_EQ(found.at(a, b), found.at(b, a));
        pairs += found.at(a, b) != 0 ? 1 : 0;
      }
    }
    EXPECT_GT(pairs, 10U);
  }

  Corpus corpus_;
  std::vector<Analysis> analyses_;
  std::vector<GivenView> views_;
  std::optional<ShingleCollection> shingles_;
  FoundPairsOptions options_;
};

TEST_F(FoundPairsTest, DistancesAreThoseOfTheSignatures) {
  for (const char* spec : {"simhash(weights=unit)", "simhash(weights=unit, bits=128)"}) {
    for (const unsigned threads : {1U, 3U}) {
      options_.threads = threads;
      const Result<FoundPairs> made = make(spec);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const FoundPairs& found = made.value();
      EXPECT_EQ(found.option(), "distance");
      EXPECT_EQ(found.values().size(), 8U);
      expect_complete(found);
      const auto scheme = make_scheme(spec, 1).value();
      const SketchedDocuments sketched = sketch_documents(*scheme, views_, 1);
      for (std::uint32_t a = 0; a < documents(); ++a) {
        for (std::uint32_t b = a + 1; b < documents(); ++b) {
          const auto told = scheme->compare(sketched.stored[a], sketched.stored[b]).distance;
          for (std::uint32_t bits = 0; bits < 8; ++bits) {
            EXPECT_EQ((found.at(a, b) >> bits & 1) != 0, told && told->differ <= bits);
          }
        }
      }
      EXPECT_EQ(found.at(0, documents() - 1), 0U) << "no signature is near nothing";
    }
  }
}

TEST_F(FoundPairsTest, ResemblancesAreExactOrEstimatedAndNeedAKey) {
  for (const Check check : {Check::exact, Check::sketch}) {
    options_.verify = check;
    const Result<FoundPairs> made = make("mod(modulus=1)");
    ASSERT_TRUE(made.ok()) << made.error().message;
    const FoundPairs& found = made.value();
    EXPECT_EQ(found.option(), "resemblance");
    EXPECT_EQ(found.values().front(), "0.95");
    EXPECT_EQ(found.values().back(), "0.3");
    EXPECT_EQ(found.prefer(), Prefer::last);
    expect_complete(found);
    // All shingles are kept, so estimates are exact.
    for (std::uint32_t a = 0; a < documents(); ++a) {
      for (std::uint32_t b = a + 1; b < documents(); ++b) {
        const Fraction exact = shingles_->pair(a, b).resemblance();
        EXPECT_EQ(found.at(a, b) >> 3 & 1, exact.at_least({4, 5}) ? 1U : 0U);
      }
    }
  }
}

TEST_F(FoundPairsTest, BandsArePlannedForEachThreshold) {
  const Result<FoundPairs> made = make("fss");
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_NE(made.value().spec_of(0), made.value().spec_of(made.value().values().size() - 1));
  expect_complete(made.value());
}

TEST_F(FoundPairsTest, MoreLexiconsFindMorePairs) {
  // `edits` would choose the share that is to be tried.
  const Result<FoundPairs> made = make("imatch(edits=5, least=1, share=0)");
  ASSERT_TRUE(made.ok()) << made.error().message;
  const FoundPairs& found = made.value();
  EXPECT_EQ(found.option(), "scheme");
  EXPECT_EQ(found.prefer(), Prefer::recall);
  ASSERT_EQ(found.values().size(), 12U);
  EXPECT_EQ(found.values()[0], "1/3x1");
  EXPECT_THAT(found.spec_of(11), HasSubstr("signatures=10, edits=0, sampling=drop, drop=2/3"));
  EXPECT_THAT(found.spec_of(4), HasSubstr("signatures=1, edits=0, sampling=drop, drop=0.5"));
  for (std::uint32_t b = 0; b < documents(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      for (unsigned i = 0; i + 1 < 12; ++i) {
        if (i % 4 == 3) continue;  // the next one leaves out another share
        const std::uint32_t values = found.at(a, b);
        EXPECT_LE(values >> i & 1, values >> (i + 1) & 1);
      }
    }
  }
  EXPECT_EQ(found.schemes(), 3U);
}

TEST_F(FoundPairsTest, ValuesAreThoseOfTheSchemeThatARunWouldTake) {
  const Result<FoundPairs> made = make("fss");
  ASSERT_TRUE(made.ok()) << made.error().message;
  const FoundPairs& found = made.value();
  std::uint32_t all = 0;
  for (std::size_t scheme = 0; scheme < found.schemes(); ++scheme) {
    const std::uint32_t of_scheme = found.values_of(scheme, {1, 1});
    EXPECT_EQ(all & of_scheme, 0U) << "each value has one scheme";
    all |= of_scheme;
    // An exact resemblance of the loosest value finds that one.
    const Ratio loosest = found.loosest(scheme);
    EXPECT_NE(found.values_of(scheme, {loosest.numerator(), loosest.denominator()}), 0U);
    EXPECT_EQ(found.values_of(scheme, {loosest.numerator() - 1, loosest.denominator()}), 0U);
    EXPECT_EQ(found.values_of(scheme, {0, 0}), 0U) << "unknown";
  }
  EXPECT_EQ(all, (1U << found.values().size()) - 1);
  EXPECT_EQ(found.loosest(found.schemes() - 1).text(), found.values().back());
}

TEST_F(FoundPairsTest, WhatCannotBeCalibratedIsRefused) {
  const auto message = [&](const std::string& spec) {
    const Result<FoundPairs> made = make(spec);
    EXPECT_FALSE(made.ok()) << spec;
    return made.ok() ? "" : made.error().message;
  };
  EXPECT_THAT(message("exact"), HasSubstr("have no threshold to choose"));
  EXPECT_THAT(message("simhsh"), HasSubstr("simhash"));
  EXPECT_THAT(message("simhash(fields=title)"), HasSubstr("reads fields of records"));
  options_.verify = Check::sketch;
  EXPECT_THAT(message("super_shingle"), HasSubstr("do not estimate resemblance"));
}

}  // namespace
}  // namespace twinset
