#include "faces/fate_sections.h"

#include <gtest/gtest.h>

#include <numeric>

namespace twinset {
namespace {

std::string as_is(std::string_view file) { return std::string(file); }

FileCounts file_of(const std::string& name, std::uint64_t kept, std::uint64_t near) {
  FileCounts file;
  file.file = name;
  file.counts.read = kept + near;
  file.counts.kept = kept;
  file.counts.near = near;
  return file;
}

TEST(FateSections, PartsAreTheWhole) {
  DedupSummary summary;
  summary.total = {.read = 36,
                   .kept = 1,
                   .identical = 2,
                   .lexical = 3,
                   .near = 4,
                   .contained = 5,
                   .quarantined = 7,
                   .filtered = 6,
                   .carried = 8};
  summary.clusters = 9;
  const Section totals = totals_section(summary);
  std::uint64_t parts = 0;
  for (const Part& part : totals.parts) parts += part.count;
  EXPECT_EQ(parts, summary.total.read);
  EXPECT_EQ(totals.numbers.at(2).value.number, 14U);
  EXPECT_EQ(totals.numbers.at(3).value.number, 9U);
  EXPECT_EQ(totals.numbers.at(4).value.number, 13U);
}

TEST(FateSections, ListsTheFilesThatLostMost) {
  DedupSummary summary;
  for (std::uint64_t i = 0; i < most_listed_files + 50; ++i) {
    summary.files.push_back(file_of("f" + std::to_string(i), 1, i));
  }
  const Section files = files_section(summary, as_is);
  ASSERT_EQ(files.tables.at(0).rows.size(), most_listed_files);
  EXPECT_EQ(files.tables[0].rows[0].at(0).string, "f249");
  EXPECT_EQ(files.tables[0].rows.back().at(0).string, "f50");
}

TEST(FateSections, CarriedBytesAreAColumnWhereThereAreSome) {
  DedupSummary summary;
  summary.files = {file_of("a", 2, 1)};
  EXPECT_EQ(files_section(summary, as_is).tables.at(0).columns.size(), 10U);
  summary.files[0].counts.carried = summary.total.carried = 3;
  summary.files[0].reference = true;
  const Section files = files_section(summary, as_is);
  EXPECT_EQ(files.tables.at(0).columns.back(), "carried");
  EXPECT_EQ(files.tables[0].rows.at(0).back().number, 3U);
  EXPECT_EQ(files.tables[0].rows[0].at(0).string, "a (reference)");
}

}  // namespace
}  // namespace twinset
