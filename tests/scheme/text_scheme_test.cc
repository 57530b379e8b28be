#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "evaluate/edits.h"
#include "scheme/identity.h"
#include "scheme/scheme.h"
#include "support_runs/job_testing.h"
#include "twinset/dedup.h"
#include "twinset/pair.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

using testing::get_file;
using testing::ScratchFolder;

std::string words(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "w" + std::to_string(random() % 100'000) + " ";
  return text;
}

TextScheme scheme_of(std::string_view spec, std::string_view analyzer = "words",
                     bool html = false) {
  Result<TextScheme> made = make_scheme(spec, analyzer, html);
  EXPECT_TRUE(made.ok()) << made.error().message;
  return std::move(made).value();
}

TEST(TextScheme, EstimatesAreNearTheExactShares) {
  for (const char* spec : {"fss", "minhash", "mod(modulus=4)", "min(samples=256)"}) {
    const TextScheme scheme = scheme_of(spec);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::string a = words(2000, seed);
      const std::string b = replace_words(a, 10 * seed, seed);
      const Estimates found =
          scheme.compare(scheme.sketch(a).value(), scheme.sketch(b).value()).value();
      ASSERT_TRUE(found.resemblance.has_value()) << spec;
      const double exact = resemblance(a, b).value().value;
      // Seven standard errors: with fixed seeds, a mistake or nothing.
      EXPECT_NEAR(found.resemblance->value, exact, 7 * found.resemblance->standard_error) << spec;
      EXPECT_LE(found.resemblance->low, found.resemblance->value);
      EXPECT_GE(found.resemblance->high, found.resemblance->value);
      if (!found.containment_a_in_b) continue;
      EXPECT_NEAR(found.containment_a_in_b->value, containment(a, b).value().value,
                  7 * found.containment_a_in_b->standard_error)
          << spec;
    }
  }
}

TEST(TextScheme, ASketchIsThatOfARun) {
  const std::string text = words(300, 1);
  Analysis analysis;
  std::vector<std::uint64_t> shingles;
  for (const SchemeEntry* entry : schemes()) {
    const TextScheme shelf = scheme_of(entry->declaration->name);
    const auto scheme = make_scheme(entry->declaration->name, 0.8).value();
    EXPECT_EQ(shelf.spec(), scheme->spec());
    find_analyzer("words")->analyze(text, Offsets::drop, analysis);
    const unsigned width = scheme->shingle_tokens();
    if (width != 0) shingle(analysis.tokens, width, shingles);
    Sketch expected;
    scheme->sketch(GivenView(text, analysis, shingles, find_analyzer("words")), expected);
    EXPECT_EQ(shelf.sketch(text).value().bytes(), expected.stored) << shelf.spec();
    EXPECT_EQ(shelf.sketch(text).value().scheme(), shelf.fingerprint());
  }
}

TEST(TextScheme, TellsTheShinglesByWhichItsPairsAreVerified) {
  EXPECT_EQ(scheme_of("fss").shingle_tokens(), 5U);
  EXPECT_EQ(scheme_of("mod(shingle=3)").shingle_tokens(), 3U);
  EXPECT_EQ(scheme_of("imatch").shingle_tokens(), std::nullopt);
}

TEST(TextScheme, StoredBytesMakeTheSketchAgain) {
  const TextScheme scheme = scheme_of("fss");
  const TextSketch sketch = scheme.sketch(words(100, 3)).value();
  const TextSketch again(sketch.scheme(), sketch.bytes());
  EXPECT_EQ(again, sketch);
  EXPECT_EQ(scheme.compare(sketch, again).value().resemblance->value, 1);
  // Broken bytes tell nothing.
  const TextSketch broken(sketch.scheme(), {1, 2, 3});
  EXPECT_FALSE(scheme.compare(sketch, broken).value().resemblance.has_value());
}

TEST(TextScheme, ATextWithoutTokensHasNoSignature) {
  const TextScheme scheme = scheme_of("fss");
  for (const char* text : {"", " ... !", "\xff\xfe\x80"}) {
    const TextSketch sketch = scheme.sketch(text).value();
    EXPECT_TRUE(sketch.empty()) << text;
    EXPECT_FALSE(scheme.compare(sketch, sketch).value().resemblance.has_value());
  }
  EXPECT_FALSE(scheme.sketch("\xff word").value().empty());
}

TEST(TextScheme, RefusesSketchesOfAnotherScheme) {
  const std::string text = words(100, 4);
  const TextScheme fss = scheme_of("fss");
  std::vector<TextScheme> others;
  others.push_back(scheme_of("mod"));
  others.push_back(scheme_of("fss(shingle=4)"));
  others.push_back(scheme_of("fss", "code"));
  others.push_back(scheme_of("fss", "words", true));
  for (const TextScheme& other : others) {
    const Result<Comparison> found =
        fss.compare(fss.sketch(text).value(), other.sketch(text).value());
    ASSERT_FALSE(found.ok()) << other.spec();
    EXPECT_EQ(found.error().code, ErrorCode::usage);
    EXPECT_EQ(found.error().message.find("the second sketch was made by another scheme than fss("),
              0U)
        << found.error().message;
    EXPECT_FALSE(other.compare(fss.sketch(text).value(), other.sketch(text).value()).ok());
  }
  EXPECT_FALSE(fss.compare(TextSketch(), fss.sketch(text).value()).ok());
  // A spec written in another way is the same scheme.
  EXPECT_EQ(fss.fingerprint(), scheme_of(" fss ( shingle = 5 )").fingerprint());
}

TEST(TextScheme, SeesPagesAndFeatures) {
  const TextScheme pages = scheme_of("fss", "words", true);
  EXPECT_EQ(pages.sketch("<p>a rose is <b>a rose</b></p>").value(),
            pages.sketch("a rose is a rose").value());
  const TextScheme features = scheme_of("mod(modulus=1)", "features");
  EXPECT_NE(features.spec().find("shingle=1"), std::string::npos) << features.spec();
  const Estimates found =
      features.compare(features.sketch("[1, 2, 3]").value(), features.sketch("[3, 2]").value())
          .value();
  EXPECT_NEAR(found.resemblance->value, 2.0 / 3, 1e-9);
}

TEST(TextScheme, IsSharedByThreads) {
  const TextScheme scheme = scheme_of("fss");
  const std::string text = words(3000, 6);
  const TextSketch expected = scheme.sketch(text).value();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) EXPECT_EQ(scheme.sketch(text).value(), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(TextScheme, SaysWhatIsWrongWithASpec) {
  const auto message = [](std::string_view spec, std::string_view analyzer = "words",
                          bool html = false) {
    const Result<TextScheme> made = make_scheme(spec, analyzer, html);
    EXPECT_FALSE(made.ok()) << spec;
    return made.ok() ? "" : made.error().message;
  };
  EXPECT_NE(message("fsss").find("did you mean fss?"), std::string::npos);
  EXPECT_NE(message("").find("a scheme's name"), std::string::npos) << message("");
  EXPECT_NE(message("fss(shingle=0)").find("shingle"), std::string::npos);
  EXPECT_NE(message("fss(shingle=").find("fss("), std::string::npos) << message("fss(shingle=");
  EXPECT_NE(message("fss", "word").find("there is: "), std::string::npos);
  EXPECT_NE(message("fss", "features", true).find("no markup"), std::string::npos);
  const std::string_view long_text("", std::size_t{5} << 30);
  EXPECT_EQ(scheme_of("fss").sketch(long_text).error().code, ErrorCode::usage);
}

/// Texts of every kind, some of them many times.
std::vector<std::string> many_texts() {
  std::vector<std::string> texts{"",
                                 "?! ... --",
                                 "one",
                                 "a rose is a rose is a rose",
                                 "broken \xff\xfe \xc3 utf \xed\xa0\x80 eight \xf8",
                                 "[1, 2, 3]",
                                 "<p>a page</p>",
                                 words(40'000, 9)};
  for (std::uint64_t i = 0; i < 600; ++i) texts.push_back(words(i % 37, i % 200));
  return texts;
}

// Many texts at once are signed as one by one, whatever the scheme.
TEST(SignedTexts, AreThoseOfSingleTexts) {
  const std::vector<std::string> texts = many_texts();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const SchemeEntry* entry : schemes()) {
    const TextScheme scheme = scheme_of(entry->declaration->name);
    SCOPED_TRACE(scheme.spec());
    const SignedTexts all = scheme.sign(views, 3).value();
    ASSERT_EQ(all.size(), texts.size());
    EXPECT_EQ(all.scheme, scheme.fingerprint());
    std::uint64_t without = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const TextSketch sketch = scheme.sketch(texts[i]).value();
      const std::vector<std::uint64_t> keys = scheme.keys(texts[i]).value();
      EXPECT_TRUE(std::ranges::equal(all.sketch_of(i), sketch.bytes())) << i;
      EXPECT_TRUE(std::ranges::equal(all.keys_of(i), keys)) << i;
      EXPECT_TRUE(std::ranges::is_sorted(keys));
      EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
      EXPECT_EQ(all.has(i), !sketch.empty()) << i;
      EXPECT_TRUE(!sketch.empty() || keys.empty()) << i;
      without += sketch.empty() ? 1 : 0;
    }
    EXPECT_EQ(all.without, without);
  }
}

TEST(SignedTexts, HaveTheBytesOfAnyNumberOfThreads) {
  const std::vector<std::string> texts = many_texts();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const char* spec : {"fss", "mod(samples=64)", "imatch", "exact"}) {
    const TextScheme scheme = scheme_of(spec);
    const SignedTexts one = scheme.sign(views).value();
    for (const unsigned threads : {0U, 2U, 7U}) {
      EXPECT_EQ(scheme.sign(views, threads).value(), one) << spec << threads;
    }
    // Any part of the texts has that part of the arrays.
    const SignedTexts part = scheme.sign(std::span(views).subspan(3, 300), 2).value();
    for (std::size_t i = 0; i < part.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(part.sketch_of(i), one.sketch_of(i + 3)));
      EXPECT_TRUE(std::ranges::equal(part.keys_of(i), one.keys_of(i + 3)));
      EXPECT_EQ(part.has(i), one.has(i + 3));
    }
  }
}

// The arrays are those of Arrow's columns: a reader needs nothing but the layout.
TEST(SignedTexts, HaveTheLayoutOfColumns) {
  const TextScheme scheme = scheme_of("fss");
  const std::vector<std::string_view> texts{"one two three", "", "four five", "", "", "", "", "",
                                            "six",           ""};
  const SignedTexts all = scheme.sign(texts).value();
  EXPECT_EQ(all.offsets.size(), 11U);
  EXPECT_EQ(all.key_offsets.size(), 11U);
  EXPECT_EQ(all.offsets.front(), 0);
  EXPECT_EQ(all.offsets.back(), static_cast<std::int64_t>(all.sketches.size()));
  EXPECT_EQ(all.key_offsets.front(), 0);
  EXPECT_EQ(all.key_offsets.back(), static_cast<std::int64_t>(all.keys.size()));
  EXPECT_EQ(all.validity, (std::vector<std::uint8_t>{0b101, 0b1}));
  EXPECT_EQ(all.without, 7U);
  EXPECT_EQ(all.byte_hashes.size(), 10U);
  EXPECT_EQ(all.token_hashes.size(), 10U);
  static_assert(sizeof(Hash128) == 16);
}

TEST(SignedTexts, HashBytesAndTokensAsDedupDoes) {
  const TextScheme scheme = scheme_of("fss");
  const std::vector<std::string_view> texts{"One two.", "one two", "one two", "...", "?", "..."};
  const SignedTexts all = scheme.sign(texts).value();
  EXPECT_NE(all.byte_hashes[0], all.byte_hashes[1]);
  EXPECT_EQ(all.byte_hashes[1], all.byte_hashes[2]);
  EXPECT_EQ(all.token_hashes[0], all.token_hashes[1]);
  EXPECT_NE(all.token_hashes[3], all.token_hashes[4]) << "without tokens the bytes count";
  EXPECT_EQ(all.token_hashes[3], all.token_hashes[5]);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Fingerprint bytes = identical_fingerprint(texts[i]);
    EXPECT_EQ(all.byte_hashes[i], (Hash128{bytes.high, bytes.low}));
  }
}

TEST(SignedTexts, OfNoTextsAndOfTooLongOnes) {
  const TextScheme scheme = scheme_of("fss");
  for (const unsigned threads : {0U, 1U, 7U}) {
    const SignedTexts none = scheme.sign({}, threads).value();
    EXPECT_EQ(none.size(), 0U);
    EXPECT_EQ(none.offsets, std::vector<std::int64_t>{0});
    EXPECT_TRUE(none.validity.empty());
    const std::string_view long_text("", std::size_t{5} << 30);
    const std::vector<std::string_view> texts{"one", long_text, "two"};
    const Result<SignedTexts> refused = scheme.sign(texts, threads);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
  }
}

// Bands are planned for the threshold: a lower one finds pairs that a higher one may miss.
TEST(TextScheme, PlansKeysForItsThreshold) {
  const TextScheme usual = scheme_of("fss");
  const TextScheme low = make_scheme("fss", "words", false, Ratio(1, 2)).value();
  EXPECT_NE(usual.spec(), low.spec());
  EXPECT_EQ(make_scheme(low.spec()).value().spec(), low.spec());
  unsigned usual_found = 0;
  unsigned low_found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string a = words(400, seed);
    const std::string b = replace_words(a, 24, seed);
    usual_found += shares_a_key(usual.keys(a).value(), usual.keys(b).value()) ? 1 : 0;
    low_found += shares_a_key(low.keys(a).value(), low.keys(b).value()) ? 1 : 0;
  }
  EXPECT_GT(low_found, 35U);
  EXPECT_LT(usual_found, low_found);
}

}  // namespace
}  // namespace twinset
