// Kinds of changes, and when to read a page again, on scripted histories.
#include "track/version_chain.h"

#include "track/track_testing.h"

namespace twinset::testing {
namespace {

struct Told {
  std::vector<TrackedVersion> versions;
  std::optional<double> recrawl_days;

  std::string kinds() const {
    std::string out;
    for (const TrackedVersion& each : versions) {
      out += each.kind.has_value() ? "=slbB"[static_cast<std::size_t>(*each.kind)] : '.';
    }
    return out;
  }
};

/// The texts are versions of a page, `days` apart.
Told told_of(const std::vector<std::string>& texts, int days = 1) {
  const VersionMaker make;
  VersionChain chain(&make.signer(), &make.sampler(), 3);
  Told told;
  chain.begin();
  PageVersion version;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    version = make("a.org/x", "2026-01-01", texts[i]);
    version.date.microseconds += static_cast<std::int64_t>(i) * days * 86'400'000'000;
    chain.add(version, told.versions);
  }
  chain.end(told.versions);
  told.recrawl_days = chain.recrawl_days();
  return told;
}

TEST(VersionChain, TellsSameSmallAndLarge) {
  const std::string text = page_words(1, 2000);
  const Told told = told_of({text, "  " + text, text + " more", page_words(2, 2000)});
  EXPECT_EQ(told.kinds(), ".=sl");
  EXPECT_EQ(told.versions[1].resemblance, 1);
  EXPECT_EQ(told.versions[1].distance, 0U);
  // S-26: the exact hash beside the distance tells that bytes changed and nothing else did.
  EXPECT_NE(told.versions[1].hash, told.versions[0].hash);
  EXPECT_LE(*told.versions[2].distance, 3U);
  EXPECT_GT(*told.versions[2].resemblance, 0.98);
  EXPECT_GT(*told.versions[3].distance, 10U);
  EXPECT_LT(*told.versions[3].resemblance, 0.05);
  EXPECT_FALSE(told.versions[0].resemblance.has_value());
}

TEST(VersionChain, ContainmentIsOfTheVersionBefore) {
  const std::string text = page_words(1, 100);
  const Told told = told_of({text, text + " " + page_words(2, 100), text});
  EXPECT_EQ(told.versions[1].containment, 1);
  EXPECT_NEAR(*told.versions[1].resemblance, 0.5, 0.05);
  EXPECT_NEAR(*told.versions[2].containment, 0.5, 0.05);
}

TEST(VersionChain, APageBreaksAndComesBack) {
  const std::string text = page_words(1, 300);
  const std::string error = "not found please try again later";
  EXPECT_EQ(told_of({text, error, text}).kinds(), ".bB");
  EXPECT_EQ(told_of({text, "", text + " more"}).kinds(), ".bB");
  EXPECT_EQ(told_of({text, error, page_words(9, 50), error, text, text}).kinds(), ".bbbB=");
  EXPECT_EQ(told_of({text, error, text, error, text}).kinds(), ".bBbB");
  // A page that begins without words has none that could break.
  EXPECT_EQ(told_of({"", text, "", text}).kinds(), ".lbB");
  // One that never comes back was rewritten.
  EXPECT_EQ(told_of({text, page_words(2, 300), page_words(2, 300)}).kinds(), ".l=");
  EXPECT_EQ(told_of({text, error}).kinds(), ".l");
  // So was one that is away for too long.
  std::vector<std::string> long_away{text};
  long_away.insert(long_away.end(), most_broken_versions, error);
  long_away.push_back(text);
  EXPECT_EQ(told_of(long_away).kinds(), ".l" + std::string(most_broken_versions - 1, '=') + "l");
}

// S-26: pages that stay the same are read less often, and those that always change more often.
TEST(VersionChain, AdvisesWhenToReadAgain) {
  const std::string a = page_words(1, 300);
  const std::string b = page_words(2, 300);
  EXPECT_EQ(told_of({a}).recrawl_days, std::nullopt);
  EXPECT_EQ(told_of({a, b}, 8).recrawl_days, 8);
  EXPECT_EQ(told_of({a, a, a}, 8).recrawl_days, 16);  // three times the same signature
  EXPECT_EQ(told_of({b, a, a, a}, 8).recrawl_days, 16);
  EXPECT_EQ(told_of({a, a}, 8).recrawl_days, 8);        // twice is not enough
  EXPECT_EQ(told_of({a, b, a, b}, 8).recrawl_days, 4);  // changed the last three times
  EXPECT_EQ(told_of({a, a, b, a}, 8).recrawl_days, 8);  // changed the last two times
  EXPECT_EQ(told_of({a, b, a, b, b}, 8).recrawl_days, 8);
  EXPECT_EQ(told_of({a, b, a}, 0).recrawl_days, std::nullopt);
}

TEST(VersionChain, HoldsNoMoreThanItsDelay) {
  const VersionMaker make;
  VersionChain chain(&make.signer(), &make.sampler(), 3);
  chain.begin();
  const PageVersion versions[] = {make("a.org/x", "2026-01-01", page_words(1, 50)),
                                  make("a.org/x", "2026-01-02", page_words(2, 50))};
  std::vector<TrackedVersion> known;
  std::size_t all = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    chain.add(versions[i % 2], known);
    all += known.size();
    known.clear();
    EXPECT_LE(i + 1 - all, most_broken_versions);
  }
}

}  // namespace
}  // namespace twinset::testing
