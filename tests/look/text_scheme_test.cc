#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>

#include "evaluate/edits.h"
#include "scheme/scheme.h"
#include "support/job_testing.h"
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
    const Result<Estimates> found =
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

}  // namespace
}  // namespace twinset
