// A signer has all that decides a signature, with a scheme or without one.
#include "scheme/signer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/message.h"
#include "scheme/record_view.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

Signer made(const SignerOptions& options) {
  Result<Signer> signer = Signer::make(options, disk());
  EXPECT_TRUE(signer.ok()) << signer.error().message;
  return std::move(signer).value();
}

TEST(Signer, SignsAsTheSchemeOfTextsDoes) {
  const Signer signer = made({.scheme = "fss"});
  const TextScheme texts = make_scheme("fss").value();
  const std::string text = "one two three four five six seven eight nine ten";
  Record record;
  record.text = text;
  RecordView view(signer.view);
  view.look_at(record);
  Sketch sketch;
  signer.scheme->sketch(view, sketch);
  EXPECT_EQ(texts.sketch(text).value(), TextSketch(signer.fingerprint, sketch.stored));
  EXPECT_EQ(signer.scheme->spec(), texts.spec());
}

TEST(Signer, ItsWidthIsThatOfTheScheme) {
  EXPECT_EQ(made({.scheme = "fss(shingle=3)"}).view.shingle_tokens, 3U);
  EXPECT_EQ(
      made({.scheme = "fss(shingle=3)", .containment = true}).containment_scheme->shingle_tokens(),
      3U);
  EXPECT_EQ(made({.scheme = "exact"}).view.shingle_tokens, 5U);
  EXPECT_EQ(made({.analyzer = "features", .scheme = "fss"}).view.shingle_tokens, 1U);
  EXPECT_EQ(made({.analyzer = "features", .scheme = "exact"}).view.shingle_tokens, 1U);
}

TEST(Signer, SaysHowItsKeysAreJoined) {
  const Signer banded = made({.scheme = "fss"});
  EXPECT_TRUE(banded.uses_bands());
  EXPECT_FALSE(banded.joins_signatures());
  EXPECT_EQ(banded.counted_scheme(), nullptr);
  const Signer contained = made({.scheme = "fss", .containment = true});
  EXPECT_TRUE(contained.uses_bands());
  EXPECT_EQ(contained.counted_scheme(), contained.containment_scheme.get());
  const Signer counted = made({.scheme = "mod"});
  EXPECT_FALSE(counted.uses_bands());
  EXPECT_EQ(counted.counted_scheme(), counted.scheme.get());
  EXPECT_TRUE(made({.scheme = "simhash"}).joins_signatures());
  EXPECT_FALSE(made({.scheme = "exact"}).uses_bands());
  EXPECT_TRUE(made({.scheme = "exact(level=2)"}).uses_bands());
}

TEST(Signer, WithoutASchemeItHasTheRuleAlone) {
  const Signer signer = made({.analyzer = "code", .scheme = "no such scheme", .signs = false});
  EXPECT_EQ(signer.scheme, nullptr);
  EXPECT_EQ(signer.containment_scheme, nullptr);
  EXPECT_EQ(signer.view.analyzer->name(), "code");
  EXPECT_FALSE(signer.uses_bands());
  EXPECT_FALSE(signer.joins_signatures());
  EXPECT_EQ(signer.counted_scheme(), nullptr);
  EXPECT_EQ(signer.fingerprint, signer.view.fingerprint());
  EXPECT_NE(signer.fingerprint, made({.signs = false}).fingerprint);
}

TEST(Signer, ItsFingerprintIsOfAllThatDecides) {
  const std::uint64_t usual = made({.scheme = "fss"}).fingerprint;
  EXPECT_EQ(made({.scheme = "fss()"}).fingerprint, usual);
  EXPECT_EQ(made({.scheme = "fss", .containment = true}).fingerprint, usual);
  EXPECT_NE(made({.scheme = "fss", .seed = 1}).fingerprint, usual);
  EXPECT_EQ(made({.scheme = "fss", .seed = 1}).fingerprint,
            made({.scheme = "fss(seed=1)"}).fingerprint);
  EXPECT_NE(made({.analyzer = "code", .scheme = "fss"}).fingerprint, usual);
  EXPECT_NE(made({.scheme = "fss", .html = true}).fingerprint, usual);
  EXPECT_NE(made({.scheme = "fss", .threshold = 0.5}).fingerprint, usual) << "other bands";
  Signer changed = made({.scheme = "fss"});
  changed.view.pages = true;
  EXPECT_EQ(changed.fingerprint, usual);
  changed.renew_fingerprint();
  EXPECT_EQ(changed.fingerprint, made({.scheme = "fss", .html = true}).fingerprint);
}

TEST(Signer, SaysWhatIsWrong) {
  const auto message = [](const SignerOptions& options) {
    const Result<Signer> signer = Signer::make(options, disk());
    EXPECT_FALSE(signer.ok());
    return signer.ok() ? std::string() : signer.error().message;
  };
  EXPECT_THAT(message({.analyzer = "word", .scheme = "fss"}), HasSubstr("words"));
  EXPECT_THAT(message({.scheme = "fsss"}), HasSubstr("did you mean fss?"));
  EXPECT_THAT(message({}), HasSubstr("a scheme's name"));
  EXPECT_THAT(message({.analyzer = "code", .scheme = "imatch"}),
              HasSubstr(option("analyzer", "words")));
  EXPECT_THAT(message({.analyzer = "features", .scheme = "fss", .html = true}),
              HasSubstr("no markup"));
  EXPECT_THAT(message({.scheme = "fss", .threshold = 0}), HasSubstr("above 0"));
}

}  // namespace
}  // namespace twinset
