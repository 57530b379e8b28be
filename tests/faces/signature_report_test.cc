#include <gtest/gtest.h>

#include "base/hash.h"
#include "faces/facts.h"
#include "faces/reports.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

/// The stored form of simhash: a byte of its own, then words.
std::vector<std::uint8_t> distance_form(std::uint64_t word) {
  std::vector<std::uint8_t> stored(9);
  for (std::size_t i = 0; i < 8; ++i) stored[1 + i] = static_cast<std::uint8_t>(word >> (8 * i));
  return stored;
}

std::vector<std::uint8_t> coordinates_form(std::initializer_list<std::uint64_t> words) {
  std::vector<std::uint8_t> stored;
  for (const std::uint64_t word : words) {
    for (std::size_t i = 0; i < 8; ++i) {
      stored.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
    }
  }
  return stored;
}

// S-29: 256 bins.
TEST(SignatureReport, HasAHistogramForEachCoordinate) {
  SketchOptions options;
  options.command = "twinset sketch <script>alert(1)</script>";
  SketchSummary summary;
  summary.schemes = {"simhash(bits=64)", "imatch(signatures=1)", "mod(shingle=5)"};
  summary.without.resize(3);
  summary.documents = 2000;
  std::vector<SignatureBins> bins{SignatureBins(Tells::distance), SignatureBins(Tells::coordinate),
                                  SignatureBins(Tells::resemblance)};
  for (std::uint64_t i = 1; i <= 2000; ++i) {
    bins[0].add(distance_form(mix64(i)));
    bins[1].add(coordinates_form({i, i << 32}));
  }
  const Result<ReportFiles> files = signature_report({options, summary, bins});
  ASSERT_TRUE(files.ok()) << files.error().message;
  const ReportFacts facts = read_report_facts(files.value().json, "r").value();
  ASSERT_EQ(facts.sections.size(), 3U);
  EXPECT_EQ(facts.sections[0].title, "simhash");
  ASSERT_EQ(facts.sections[0].histograms.size(), 1U);
  EXPECT_EQ(facts.sections[0].histograms[0].bars.size(), 256U);
  EXPECT_EQ(value_text(facts.sections[0].tables.at(0).rows.at(0).at(3)), "as even as random");
  // Small numbers all begin with the byte 0: 1,999 of 2,000 too many.
  EXPECT_EQ(facts.sections[1].histograms.size(), 2U);
  EXPECT_EQ(value_text(facts.sections[1].tables.at(0).rows.at(0).at(2)), "510,000.0");
  EXPECT_EQ(value_text(facts.sections[1].tables.at(0).rows.at(0).at(3)), "not as even as random");
  EXPECT_NE(facts.sections[1].histograms[0].title.find(": chi-square 510,000.0"),
            std::string::npos);
  EXPECT_TRUE(facts.sections[2].histograms.empty());
  EXPECT_EQ(files.value().page.find("<script>alert"), std::string::npos);
}

TEST(SignatureReport, NoDrawingHasAStatisticOfTooFew) {
  SketchOptions options;
  SketchSummary summary;
  summary.schemes = {"simhash(bits=64)"};
  summary.without.resize(1);
  summary.documents = 40;
  std::vector<SignatureBins> bins{SignatureBins(Tells::distance)};
  for (std::uint64_t i = 1; i <= 40; ++i) bins[0].add(distance_form(mix64(i)));
  const Result<ReportFiles> files = signature_report({options, summary, bins});
  ASSERT_TRUE(files.ok()) << files.error().message;
  const ReportFacts facts = read_report_facts(files.value().json, "r").value();
  EXPECT_EQ(facts.sections.at(0).histograms.at(0).title, "Signatures by first byte");
  EXPECT_EQ(value_text(facts.sections[0].tables.at(0).rows.at(0).at(3)),
            "too few signatures to say");
}

}  // namespace
}  // namespace twinset
