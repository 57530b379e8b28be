#include "judge/categories.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

std::string refusal(std::string_view list) {
  const Result<Categories> parsed = Categories::parse(list);
  return parsed.ok() ? "" : parsed.error().message;
}

TEST(Categories, AreFoundByLetterAndByName) {
  const Categories categories = Categories::parse("same,different,unclear").value();
  EXPECT_EQ(categories.find('d'), 1U);
  EXPECT_EQ(categories.find("unclear"), 2U);
  EXPECT_EQ(categories.find('x'), std::nullopt);
  EXPECT_EQ(categories.find("dif"), std::nullopt);
  EXPECT_EQ(categories.dropped(), 2U);
  EXPECT_EQ(categories.text(), "same,different,unclear");
  EXPECT_EQ(Categories::parse("yes,no").value().dropped(), std::nullopt);
  EXPECT_TRUE(Categories::parse("template,copy,news-2,a_b").ok());
}

TEST(Categories, OtherListsAreRefused) {
  EXPECT_NE(refusal("same,similar").find("same and similar share their first letter"),
            std::string::npos);
  for (const char* list : {"good,bad", "yes,quite"}) {
    EXPECT_NE(refusal(list).find("begins with b or q"), std::string::npos) << list;
  }
  for (const char* list : {"", "same,", ",same", "Same,no", "s ame,no", "1st,no", "s\x1b[31m,no",
                           "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,no"}) {
    EXPECT_NE(refusal(list).find("is no name"), std::string::npos) << list;
  }
  EXPECT_EQ(refusal("s\x1b[31m,no").find('\x1b'), std::string::npos);
  for (const char* list : {"same", "same,unclear"}) {
    EXPECT_NE(refusal(list).find("two names"), std::string::npos) << list;
  }
  EXPECT_NE(refusal("unclear,same,different").find("unclear cannot be it"), std::string::npos);
}

}  // namespace
}  // namespace twinset
