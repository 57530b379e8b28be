// IndexSigner: the sketches and keys of schemes, and keys for near signatures.
#include "index/index_signer.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

std::vector<Marks> marks_of(const IndexSigner& signer, const std::string& text) {
  TextView views(signer);
  std::vector<Marks> marks;
  signer.mark(views.of(text), marks);
  return marks;
}

TEST(IndexSigner, KeepsTheFullSpecsAndIsMadeAgainFromThem) {
  const IndexSigner signer = IndexSigner::make(two_schemes, disk()).value();
  EXPECT_EQ(signer.settings().scheme[0].substr(0, 14), "mod(shingle=5,");
  EXPECT_NE(signer.settings().scheme[1].find("bands=61, rows=4"), std::string::npos)
      << "planned for a resemblance of 1/2: " << signer.settings().scheme[1];
  const IndexSigner again = IndexSigner::make(signer.settings(), disk()).value();
  EXPECT_EQ(again.settings(), signer.settings());
  EXPECT_EQ(again.fingerprint(), signer.fingerprint());
  IndexSettings other = two_schemes;
  other.distance = 4;
  EXPECT_NE(IndexSigner::make(other, disk()).value().fingerprint(), signer.fingerprint());
}

TEST(IndexSigner, MarksAsTheSchemesDo) {
  const IndexSigner signer = IndexSigner::make(two_schemes, disk()).value();
  const std::string text = made_text(1, 200);
  const std::vector<Marks> marks = marks_of(signer, text);
  ASSERT_EQ(marks.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const TextScheme scheme = make_scheme(signer.settings().scheme[i]).value();
    EXPECT_EQ(marks[i].sketch.stored, scheme.sketch(text).value().bytes());
    EXPECT_EQ(marks[i].keys, scheme.keys(text).value());
  }
  for (const Marks& each : marks_of(signer, "")) {
    EXPECT_TRUE(each.sketch.empty);
    EXPECT_TRUE(each.keys.empty());
  }
}

TEST(IndexSigner, RestoresKeysFromStoredSketchesThatTellThem) {
  const IndexSettings settings{
      .scheme = {"mod(samples=64)", "mod(modulus=4)", "simhash", "simhash(bits=128)", "fss"}};
  const IndexSigner signer = IndexSigner::make(settings, disk()).value();
  for (const std::size_t words : {0U, 3U, 80U, 3000U}) {
    const std::vector<Marks> marks = marks_of(signer, made_text(1, words));
    for (std::size_t i = 0; i < marks.size(); ++i) {
      Marks restored;
      const bool tells = signer.restore(i, marks[i].sketch.stored, restored);
      EXPECT_EQ(tells, i < 4 || marks[i].sketch.empty) << i;
      EXPECT_EQ(restored.sketch.empty, marks[i].sketch.empty);
      EXPECT_EQ(restored.sketch.stored, marks[i].sketch.stored);
      if (!tells) continue;
      EXPECT_EQ(restored.keys, marks[i].keys) << i;
      if (i > 1) continue;
      EXPECT_EQ(restored.sketch.level, marks[i].sketch.level);
      EXPECT_EQ(restored.sketch.values, marks[i].sketch.values);
    }
  }
}

/// Any two signatures within the distance share a key, whichever bits differ.
TEST(IndexSigner, NearSignaturesShareAKey) {
  for (const std::string scheme : {"simhash", "simhash(bits=128)"}) {
    for (const unsigned distance : {0U, 1U, 3U, 7U}) {
      IndexSettings settings{.scheme = {scheme}, .distance = distance};
      const IndexSigner signer = IndexSigner::make(settings, disk()).value();
      const std::string text = made_text(1, 300);
      const std::vector<Marks> marks = marks_of(signer, text);
      EXPECT_EQ(marks[0].keys.size(), std::max(distance + 1, scheme == "simhash" ? 1U : 2U));
      std::size_t near = 0;
      for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const std::vector<Marks> others = marks_of(signer, edited(text, seed % 280, 1, seed));
        const Comparison compared =
            signer.schemes()[0].scheme->compare(marks[0].sketch.stored, others[0].sketch.stored);
        if (compared.distance->differ > distance) continue;
        ++near;
        EXPECT_TRUE(shares_a_key(marks[0].keys, others[0].keys));
      }
      EXPECT_GE(near, distance == 7 ? 50U : 0U);
    }
  }
}

TEST(IndexSigner, RefusesWhatNoSchemeAllows) {
  EXPECT_EQ(IndexSigner::make({}, disk()).error().message, "an index needs a scheme");
  EXPECT_FALSE(IndexSigner::make({.scheme = {"fss(bins=3)"}}, disk()).ok());
  EXPECT_FALSE(IndexSigner::make({.analyzer = "nosuch", .scheme = {"fss"}}, disk()).ok());
}

}  // namespace
}  // namespace twinset::testing
