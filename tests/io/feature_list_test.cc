#include "io/feature_list.h"

#include <gtest/gtest.h>

#include "io/json_read.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

TEST(FeatureList, TakesIntegersOfAnySizeAndStrings) {
  for (const char* list : {"[]", "[ ]", "[1]", "[ -1 , 0,-0 ]", "[\"\", \"a\\\"]\", 7]",
                           "[123456789012345678901234567890123456789]"}) {
    EXPECT_EQ(feature_fault(list), "") << list;
    std::string_view found;
    EXPECT_EQ(find_feature_list(std::string(" \n") + list + "\r\n", found), "") << list;
    EXPECT_EQ(find_feature_list(list, found), "");
    EXPECT_EQ(found, list);
  }
}

TEST(FeatureList, NamesTheFirstElementThatIsNone) {
  EXPECT_EQ(feature_fault("[1, 2.5]"),
            "element 2 is a number with a fraction or an exponent; features are integers and "
            "strings");
  EXPECT_EQ(feature_fault("[1e3]").substr(0, 22), "element 1 is a number ");
  EXPECT_EQ(feature_fault("[1E3]").substr(0, 22), "element 1 is a number ");
  EXPECT_EQ(feature_fault("[\"a\", 1, null, {}]").substr(0, 18), "element 3 is null;");
  EXPECT_EQ(feature_fault("[true]").substr(0, 23), "element 1 is a boolean;");
  EXPECT_EQ(feature_fault("[1, {\"a\": [1]}]").substr(0, 23), "element 2 is an object;");
  EXPECT_EQ(feature_fault("[[1]]").substr(0, 22), "element 1 is an array;");
}

TEST(FeatureList, UncheckedTextIsChecked) {
  std::string_view found;
  for (const char* text :
       {"", "[1", "[1,]", "1", "\"a\"", "{}", "[1] 2", "[01]", "words", "[\"a]", "[1, nul]"}) {
    EXPECT_NE(find_feature_list(text, found), "") << text;
  }
  const std::string deep(100000, '[');
  EXPECT_NE(find_feature_list(deep, found), "");
}

// The analyzer decodes strings in its own way; it must agree with the JSON reader.
TEST(FeatureList, StringsAreDecodedAsTheJsonReaderDoes) {
  const std::string list =
      R"(["plain", "\u0061\"\\\/\b\f\n\r\t", "\ud834\uDD1E", "\ud834x", "\udd1e\ud834", "\u00e9\u00E9"])";
  ASSERT_EQ(feature_fault(list), "");
  const Analyzer* features = find_analyzer("features");
  Analysis analysis;
  features->analyze(list, Offsets::keep, analysis);
  const auto elements = read_json(list, "list").value().elements();
  ASSERT_EQ(analysis.tokens.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::string text;
    features->append_token(list, analysis.offsets[i], text);
    EXPECT_EQ(text, elements[i].text()) << i;
  }
}

}  // namespace
}  // namespace twinset
