// The JSON of answers: values as they are, and nothing where nothing is known.
#include "io/field_json.h"
#include "search/search_testing.h"

namespace twinset::testing {
namespace {

TEST(IndexFields, LeaveOutWhatIsNotKnown) {
  IndexHit hit;
  hit.document.id = "7";
  EXPECT_EQ(fields_json(fields_of(hit)), "{\"id\": 7, \"same\": \"no\", \"exact\": false}");
  hit.document = {"\"a\"", "http://a/", "2024", "{\"n\": 1}"};
  hit.same = Sameness::tokens;
  hit.resemblance = Interval{0.5, 0.25, 0.75};
  hit.shared = 0;
  hit.distance = 0;
  EXPECT_EQ(fields_json(fields_of(hit)),
            "{\"id\": \"a\", \"url\": \"http://a/\", \"date\": \"2024\", \"fields\": {\"n\": 1}, "
            "\"same\": \"tokens\", \"resemblance\": {\"value\": 0.5, \"low\": 0.25, \"high\": "
            "0.75}, \"exact\": false, \"shared\": 0, \"distance\": 0}");
}

}  // namespace
}  // namespace twinset::testing
