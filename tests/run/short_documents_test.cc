// The warning that documents are too short for a scheme.
#include "run/short_documents.h"

#include <gtest/gtest.h>

#include <string>

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The warning of a run over three short records and one of 400 words.
std::string warning_of(const std::string& scheme) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (const char* text : {"one two three four five six seven", "a b c d e f g h i", ""}) {
    collection.files[0].records.push_back({"", text, ""});
  }
  std::string long_text;
  for (int i = 0; i < 400; ++i) long_text += "word" + std::to_string(i) + " ";
  collection.files[0].records.push_back({"", long_text, ""});
  JobFixture fixture(collection, [&](JobOptions& options) { options.scheme = scheme; });
  fixture.read();
  const Result<std::string> warning =
      short_documents_warning(fixture.job(), *fixture.stores().records);
  EXPECT_TRUE(warning.ok());
  return warning.ok() ? warning.value() : "";
}

TEST(ShortDocuments, AreCountedForSchemesThatSample) {
  const std::string warning = warning_of("super_shingle(modulus=4, window=2)");
  EXPECT_TRUE(warning.starts_with("2 records have fewer than ")) << warning;
}

TEST(ShortDocuments, AreNobodysConcernWhereAnyLengthIsSeen) {
  EXPECT_EQ(warning_of("fss"), "");
  EXPECT_EQ(warning_of("exact"), "");
}

}  // namespace
}  // namespace twinset
