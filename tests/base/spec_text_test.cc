// Specs of schemes are tried in tests/scheme/spec_test.cc, of analyzers in
// tests/text/analyzer_test.cc.
#include "base/spec_text.h"

#include <gtest/gtest.h>

#include <array>

namespace twinset {
namespace {

TEST(SpecText, SplitsANameAndItsParameters) {
  const std::string text = R"( one ( a = 1,b="x, \"y\"" ) )";
  const Result<ParsedSpec> parsed = parse_spec(text);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().name, "one");
  ASSERT_EQ(parsed.value().parameters.size(), 2U);
  EXPECT_EQ(parsed.value().parameters[0].first, "a");
  EXPECT_EQ(parsed.value().parameters[0].second, "1");
  EXPECT_EQ(parsed.value().parameters[1].second, R"(x, "y")");
  EXPECT_TRUE(parse_spec("one()").value().parameters.empty());
}

TEST(SpecText, ErrorsSayWhatItIsOf) {
  const SpecNoun noun{"analyzer", "an analyzer", "words"};
  EXPECT_EQ(parse_spec("a(b)", noun).error().message,
            "analyzer \"a(b)\": expected '=' at character 4");
  EXPECT_EQ(parse_spec("", noun).error().message,
            "analyzer \"\": expected an analyzer's name, e.g. words at character 1");
  EXPECT_EQ(parse_spec(std::string(max_spec_bytes + 1, 'a'), noun).error().message,
            "an analyzer of 4097 bytes; at most 4096 are read");
}

TEST(SpecText, NearestNameHasTheFewestEdits) {
  const std::array<std::string_view, 4> names{"exact", "fss", "minhash", "mod"};
  EXPECT_EQ(nearest_name("mnhash", names), "minhash");
  EXPECT_EQ(nearest_name("fs", names), "fss");
  EXPECT_EQ(nearest_name("mods", names), "mod");
  EXPECT_EQ(nearest_name("exakt", names), "exact");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace twinset
