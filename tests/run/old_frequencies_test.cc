#include "run/old_frequencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stats/term_file.h"
#include "support/scratch_folder.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// A df file of so many documents.
std::string write_df(const ScratchFolder& folder, std::uint64_t documents) {
  TermTable table;
  table.analyzer = "words";
  table.analyzer_version = find_analyzer("words")->version();
  table.documents = documents;
  RunContext context;
  context.files = &disk();
  TermWriter writer(context, folder / "a.df", table);
  EXPECT_TRUE(writer.append({"rose", 1}).ok());
  EXPECT_TRUE(writer.finish().ok());
  return folder / "a.df";
}

// S-05: a frozen table is told to be old when the collection has outgrown it.
TEST(OldFrequencies, ATableIsOldWhenHalfOfTheDocumentsAreNotInIt) {
  const ScratchFolder folder;
  const auto made = make_scheme("simhash(weights=tfidf, df=" + write_df(folder, 1000) + ")", 0.8);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Scheme& scheme = *made.value();
  EXPECT_EQ(scheme.facts().df_documents, 1000U);
  EXPECT_EQ(old_frequencies_warning(scheme, std::nullopt, 2000), "");
  EXPECT_THAT(old_frequencies_warning(scheme, std::nullopt, 2001),
              HasSubstr("2,001 documents were read with frequencies counted in 1,000 documents"));
  EXPECT_EQ(old_frequencies_warning(scheme, 5000, 5000), "");
  EXPECT_NE(old_frequencies_warning(scheme, 5000, 5001), "");
  EXPECT_NE(old_frequencies_warning(scheme, 100, 101), "");
  const auto plain = make_scheme("simhash", 0.8);
  EXPECT_EQ(old_frequencies_warning(*plain.value(), 0, 1'000'000), "");
}

}  // namespace
}  // namespace twinset
