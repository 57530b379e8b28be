#include "scheme/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scheme/scheme.h"

namespace twinset {
namespace {

using testing::HasSubstr;

TEST(Describe, NamesEveryParameterInEveryForm) {
  for (const std::string& text :
       {describe_schemes_text(), describe_schemes_markdown(), describe_schemes_json()}) {
    for (const SchemeEntry* entry : schemes()) {
      EXPECT_THAT(text, HasSubstr(std::string(entry->declaration->name)));
      EXPECT_THAT(text, HasSubstr(std::string(entry->declaration->summary)));
      EXPECT_THAT(text, HasSubstr(std::string(entry->declaration->source)));
      for (const ParameterDeclaration& parameter : entry->declaration->parameters) {
        EXPECT_THAT(text, HasSubstr(std::string(parameter.name)));
        EXPECT_THAT(text, HasSubstr(std::string(parameter.help)));
      }
    }
  }
}

// The properties that describe.cc relies on and a reader of --help may expect.
TEST(Describe, DeclarationsArePlain) {
  for (const SchemeEntry* entry : schemes()) {
    const SchemeDeclaration& scheme = *entry->declaration;
    EXPECT_GE(scheme.version, 1U);
    std::string words = std::string(scheme.summary) + std::string(scheme.source);
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      words += parameter.help;
      EXPECT_LE(parameter.minimum, parameter.standard);
      EXPECT_LE(parameter.standard, parameter.maximum);
      EXPECT_FALSE(parameter.help.empty());
    }
    for (const char c : words) {
      EXPECT_TRUE(c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '|') << words;
    }
  }
}

// TWINSET_UPDATE_GOLDEN=1 scheme_test --gtest_filter='Describe.*' writes the page.
TEST(Describe, ThePageInDocsIsUpToDate) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../docs/schemes.md";
  if (std::getenv("TWINSET_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(page, std::ios::binary) << describe_schemes_markdown();
  }
  std::ostringstream text;
  text << std::ifstream(page, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), describe_schemes_markdown())
      << "docs/schemes.md differs; run this test with TWINSET_UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace twinset
