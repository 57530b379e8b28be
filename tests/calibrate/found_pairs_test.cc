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

  /// among() must be at() of each pair.
  void expect_complete(const FoundPairs& found) const {
    std::vector<FoundPair> each;
    for (std::uint32_t a = 0; a < documents(); ++a) {
      for (std::uint32_t b = a + 1; b < documents(); ++b) {
        EXPECT_EQ(found.at(a, b), found.at(b, a));
        if (const std::uint32_t bits = found.at(a, b); bits != 0) each.push_back({a, b, bits});
      }
    }
    EXPECT_GT(each.size(), 10U);
    const Result<std::vector<FoundPair>> among = found.among(documents());
    ASSERT_TRUE(among.ok()) << among.error().message;
    EXPECT_TRUE(among.value() == each) << among.value().size() << " of " << each.size();
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
  const Result<std::vector<FoundPair>> pairs = found.among(documents());
  ASSERT_TRUE(pairs.ok());
  for (const FoundPair& pair : pairs.value()) {
    for (unsigned i = 0; i + 1 < 12; ++i) {
      if (i % 4 == 3) continue;  // the next one leaves out another share
      EXPECT_LE(pair.found >> i & 1, pair.found >> (i + 1) & 1);
    }
  }
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
  options_.most_pairs = 5;
  const Result<FoundPairs> made = make("simhash(weights=unit)");
  ASSERT_TRUE(made.ok());
  const auto among = made.value().among(documents());
  ASSERT_FALSE(among.ok());
  EXPECT_THAT(among.error().message, HasSubstr("over 5 pairs of the sample are found"));
}

}  // namespace
}  // namespace twinset
