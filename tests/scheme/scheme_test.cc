#include "scheme/scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

/// An analyzer that only has a name.
class NamedAnalyzer final : public Analyzer {
 public:
  NamedAnalyzer(std::string_view name, std::uint32_t version) : name_(name), version_(version) {}
  std::string_view name() const override { return name_; }
  std::uint32_t version() const override { return version_; }
  std::string_view summary() const override { return ""; }
  void analyze(std::string_view, Offsets, Analysis&) const override {}

 private:
  std::string_view name_;
  std::uint32_t version_;
};

TEST(MakeScheme, FillsDefaultsAndChoosesBands) {
  EXPECT_EQ(must_make("fss", 0.8)->spec(),
            "fss(bins=256, bits=4, shingle=5, seed=0, bands=28, rows=9)");
  EXPECT_NE(must_make("fss", 0.9)->spec(), must_make("fss", 0.8)->spec());
  EXPECT_EQ(must_make("fss(bands=14, rows=8)", 0.9)->spec(),
            "fss(bins=256, bits=4, shingle=5, seed=0, bands=14, rows=8)");
}

// B-08: the paper's own defaults, w = 10 and m = 25.
TEST(MakeScheme, TheDefaultsOfThe1997Paper) {
  const auto scheme = must_make("mod(shingle=10, modulus=25, bits=40)");
  EXPECT_EQ(scheme->spec(), "mod(shingle=10, modulus=25, samples=256, scale=0, bits=40, seed=0)");
  EXPECT_EQ(scheme->shingle_tokens(), 10U);
}

TEST(MakeScheme, ASpecMakesItselfAgain) {
  for (const SchemeEntry* entry : schemes()) {
    const auto scheme = must_make(entry->declaration->name);
    EXPECT_EQ(must_make(scheme->spec(), 0.5)->spec(), scheme->spec());
  }
}

TEST(MakeScheme, ErrorsSayWhatWasMeant) {
  const auto unknown = make_scheme("minhas", 0.8);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::usage);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean minhash?"));
  for (const SchemeEntry* entry : schemes()) {
    EXPECT_THAT(unknown.error().message, HasSubstr(std::string(entry->declaration->name)));
  }
  EXPECT_THAT(make_scheme("fss(bin=128)", 0.8).error().message, HasSubstr("did you mean bins?"));
  EXPECT_THAT(make_scheme("fss(bins=100)", 0.8).error().message, HasSubstr("power of two"));
  EXPECT_THAT(make_scheme("fss(bits=3)", 0.8).error().message, HasSubstr("1, 2, 4 or 8"));
  EXPECT_THAT(make_scheme("fss(bands=3)", 0.8).error().message, HasSubstr("give both"));
  EXPECT_THAT(make_scheme("minhash(bands=100, rows=2)", 0.8).error().message, HasSubstr("128"));
  EXPECT_THAT(make_scheme("fss", 0.001).error().message, HasSubstr("cannot search below"));
  for (const double threshold : {0.0, -1.0, 1.5, std::nan("")}) {
    EXPECT_FALSE(make_scheme("fss", threshold).ok()) << threshold;
  }
}

TEST(Schemes, AreListedByName) {
  std::string_view previous;
  for (const SchemeEntry* entry : schemes()) {
    EXPECT_LT(previous, entry->declaration->name);
    previous = entry->declaration->name;
  }
  EXPECT_GE(schemes().size(), 4U);
}

TEST(SchemeFingerprint, ChangesWithEverythingThatDecidesASketch) {
  const NamedAnalyzer words("words", 1);
  std::set<std::uint64_t> fingerprints;
  const auto add = [&](const Scheme& scheme, const Analyzer& analyzer) {
    return fingerprints.insert(scheme_fingerprint(scheme, {.analyzer = &analyzer})).second;
  };
  EXPECT_TRUE(add(*must_make("fss"), words));
  EXPECT_FALSE(add(*must_make("fss(seed=0)"), words));
  EXPECT_TRUE(add(*must_make("fss(seed=1)"), words));
  EXPECT_TRUE(add(*must_make("fss(shingle=6)"), words));
  EXPECT_TRUE(add(*must_make("fss", 0.9), words));
  EXPECT_TRUE(add(*must_make("minhash"), words));
  EXPECT_TRUE(add(*must_make("fss"), NamedAnalyzer("words", 2)));
  EXPECT_TRUE(add(*must_make("fss"), NamedAnalyzer("letters", 1)));
  const ViewRule pages{.analyzer = &words, .pages = true};
  EXPECT_TRUE(fingerprints.insert(scheme_fingerprint(*must_make("fss"), pages)).second);
}

}  // namespace
}  // namespace twinset
