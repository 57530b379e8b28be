// tests src/scheme/schemes/winnow.cc through its spec: what two texts with a common run share.
#include <gtest/gtest.h>

#include <algorithm>

#include "scheme/shingle_sets.h"
#include "support/tries.h"

namespace twinset {
namespace {

/// Words of so few kinds that texts share short runs by chance.
std::string winnow_words(std::uint64_t seed, std::size_t words, std::uint64_t kinds) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += "w" + std::to_string(mix64(seed << 32 | i) % kinds) + " ";
  }
  return text;
}

std::vector<std::uint64_t> winnow_keys(const Scheme& scheme, const std::string& text) {
  std::vector<std::uint64_t> keys = keys_of(scheme, sketch_text(scheme, text));
  std::ranges::sort(keys);
  return keys;
}

// B-27: no passage of `run` tokens is missed, wherever it stands.
TEST(Winnow, TextsWithACommonRunShareAKey) {
  for (const char* spec : {"winnow", "winnow(run=20)", "winnow(run=7, shingle=7)",
                           "winnow(run=12, shingle=1)", "winnow(run=1)"}) {
    const auto scheme = must_make(spec);
    const std::size_t run = scheme->facts().sure_run;
    for (std::uint64_t seed = 1; seed <= tries(200); ++seed) {
      const std::string quote = winnow_words(seed, run, 10'000);
      const auto around = [&](std::uint64_t other) {
        return winnow_words(other, mix64(other) % 300, 10'000) + quote +
               winnow_words(other + 1, mix64(other + 1) % 300, 10'000);
      };
      EXPECT_TRUE(shares_a_key(winnow_keys(*scheme, around(seed * 100)),
                               winnow_keys(*scheme, around(seed * 100 + 10))))
          << spec << " " << seed;
    }
  }
}

TEST(Winnow, KeepsFewKeysAndOneOfAShortText) {
  const auto scheme = must_make("winnow");
  EXPECT_EQ(scheme->shingle_tokens(), 17U);
  EXPECT_EQ(scheme->facts().sure_run, 50U);
  const std::size_t keys = winnow_keys(*scheme, winnow_words(1, 20'000, 100'000)).size();
  EXPECT_NEAR(static_cast<double>(keys), 20'000 * 2.0 / 35, 60);
  for (const std::size_t words : {1U, 16U, 17U, 49U}) {
    EXPECT_EQ(winnow_keys(*scheme, winnow_words(1, words, 100'000)).size(), 1U) << words;
  }
}

TEST(Winnow, TellsWhereItsKeysStand) {
  const auto scheme = must_make("winnow(run=20)");
  const std::string text = winnow_words(3, 500, 40);
  Analysis analysis;
  analyze(*find_analyzer("words"), text, Markup::none, Offsets::drop, analysis);
  std::vector<std::uint64_t> shingles;
  shingle(analysis.tokens, scheme->shingle_tokens(), shingles);
  const GivenView view(text, analysis, shingles);
  std::vector<KeyPlace> places;
  scheme->key_places(view, places);
  std::vector<std::uint64_t> keys;
  std::uint32_t last = 0;
  for (const KeyPlace& place : places) {
    EXPECT_LE(place.token, last + 20);
    EXPECT_EQ(place.tokens, scheme->shingle_tokens());
    last = place.token;
    keys.push_back(place.key);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  EXPECT_EQ(keys, winnow_keys(*scheme, text));
  Sketch restored;
  ASSERT_TRUE(scheme->restore(sketch_text(*scheme, text).stored, restored));
  std::vector<std::uint64_t> again = keys_of(*scheme, restored);
  std::ranges::sort(again);
  EXPECT_EQ(again, keys);
}

TEST(Winnow, AShingleFitsIntoItsRun) {
  const auto refused = make_scheme("winnow(run=10, shingle=11)", 0.8);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("in which a shingle must fit"), std::string::npos);
}

}  // namespace
}  // namespace twinset
