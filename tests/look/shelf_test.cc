#include <gtest/gtest.h>

#include <algorithm>

#include "base/cpu.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

TEST(Shelf, ListsEverySchemeInEveryForm) {
  for (const char* scheme : {"exact", "fss", "minhash", "mod"}) {
    for (const SchemesAs form : {SchemesAs::text, SchemesAs::markdown, SchemesAs::json}) {
      EXPECT_NE(schemes_text(form).find(scheme), std::string::npos) << scheme;
    }
  }
}

TEST(Shelf, NamesSchemesAndAnalyzersInOrder) {
  for (const auto& names : {scheme_names(), analyzer_names()}) {
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_GE(names.size(), 2u);
  }
  EXPECT_EQ(std::ranges::count(scheme_names(), "fss"), 1);
  EXPECT_EQ(std::ranges::count(analyzer_names(), "words"), 1);
}

TEST(Shelf, LimitsInstructionsByName) {
  const SimdLevel before = simd_level();
  EXPECT_EQ(limit_simd(std::string_view("mmx")).error().code, ErrorCode::usage);
  EXPECT_TRUE(limit_simd(std::string_view("portable")).ok());
  EXPECT_EQ(simd_level(), SimdLevel::portable);
  EXPECT_TRUE(limit_simd(before).ok());
}

}  // namespace
}  // namespace twinset
