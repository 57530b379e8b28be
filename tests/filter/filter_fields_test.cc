// The JSON of a filter's answers: a reason of what is unknown alone, a prototype of a match alone.
#include <gtest/gtest.h>

#include "twinset/field.h"
#include "twinset/filter.h"

namespace twinset::testing {
namespace {

TEST(FilterFields, AnAnswerHasWhatItsVerdictNeeds) {
  FilterAnswer answer;
  EXPECT_EQ(to_json(answer), "{\"verdict\": \"pass\"}");
  answer.verdict = FilterVerdict::unknown;
  answer.why = WhyUnknown::no_signature;
  EXPECT_EQ(to_json(answer), "{\"verdict\": \"unknown\", \"why\": \"no_signature\"}");
  answer = {FilterVerdict::match, WhyUnknown::known, IndexHit()};
  answer.prototype->document = {"\"a\"", "http://a/", "", "{\"n\": 1}"};
  answer.prototype->coordinate = 3;
  EXPECT_EQ(to_json(answer),
            "{\"verdict\": \"match\", \"prototype\": \"a\", \"prototype_url\": \"http://a/\", "
            "\"prototype_fields\": {\"n\": 1}, \"same\": \"no\", \"exact\": false, "
            "\"coordinate\": 3}");
}

}  // namespace
}  // namespace twinset::testing
