#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scheme/scheme.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

TEST(Describe, NamesEveryParameterInEveryForm) {
  for (const std::string& text :
       {to_text(known_schemes()), to_markdown(known_schemes()), to_json(known_schemes())}) {
    for (const SchemeDeclaration& scheme : known_schemes()) {
      EXPECT_THAT(text, HasSubstr(std::string(scheme.name)));
      EXPECT_THAT(text, HasSubstr(std::string(scheme.summary)));
      EXPECT_THAT(text, HasSubstr(std::string(scheme.source)));
      for (const ParameterDeclaration& parameter : scheme.parameters) {
        EXPECT_THAT(text, HasSubstr(std::string(parameter.name)));
        EXPECT_THAT(text, HasSubstr(std::string(parameter.help)));
      }
    }
  }
}

TEST(Describe, AProgramGetsEverySchemeByName) {
  const std::vector<SchemeDeclaration> known = known_schemes();
  ASSERT_EQ(known.size(), schemes().size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(known[i].name, schemes()[i]->declaration->name);
    EXPECT_EQ(known[i].parameters.data(), schemes()[i]->declaration->parameters.data());
    if (i > 0) {
      EXPECT_LT(known[i - 1].name, known[i].name);
    }
  }
  EXPECT_EQ(to_json(std::span<const SchemeDeclaration>()), "[]");
  EXPECT_EQ(to_text(std::span(known).first(1)).find(known[1].name), std::string::npos);
}

// The properties that describe.cc relies on and a reader of --help may expect.
TEST(Describe, DeclarationsArePlain) {
  for (const SchemeDeclaration& scheme : known_schemes()) {
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
    std::ofstream(page, std::ios::binary) << to_markdown(known_schemes());
  }
  std::ostringstream text;
  text << std::ifstream(page, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), to_markdown(known_schemes()))
      << "docs/schemes.md differs; run this test with TWINSET_UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace twinset
