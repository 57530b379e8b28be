// The warning that documents are too short for a scheme.
#include "run/short_documents.h"

#include <gtest/gtest.h>

#include <string>

#include "support/job_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The warnings of a run over three short records and one of 400 words.
std::vector<std::string> warnings_of(const std::string& scheme) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (const char* text : {"one two three four five six seven", "a b c d e f g h i", ""}) {
    collection.files[0].records.push_back({"", text, ""});
  }
  std::string long_text;
  for (int i = 0; i < 400; ++i) long_text += "word" + std::to_string(i) + " ";
  collection.files[0].records.push_back({"", long_text, ""});
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.scheme = scheme;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? done.value().warnings : std::vector<std::string>();
}

TEST(ShortDocuments, AreCountedForSchemesThatSample) {
  const std::vector<std::string> warnings = warnings_of("super_shingle(modulus=4, window=2)");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].find("2 records have fewer than "), 0U) << warnings[0];
}

TEST(ShortDocuments, AreNobodysConcernWhereAnyLengthIsSeen) {
  EXPECT_TRUE(warnings_of("fss").empty());
  EXPECT_TRUE(warnings_of("exact").empty());
}

}  // namespace
}  // namespace twinset
