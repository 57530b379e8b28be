// The JSON of what a LiveIndex is given and tells.
#include "io/field_json.h"
#include "search/search_testing.h"
#include "twinset/field.h"
#include "twinset/live_index.h"

namespace twinset::testing {
namespace {

TEST(LiveIndexFields, AreTheJsonOfRequestsAndAnswers) {
  NewDocument document{.id = "\"d1\"", .text = "a text", .url = "http://h.org/1"};
  document.date = "2026-01-10";
  document.fields = "{\"version\": 0}";
  const std::string json = fields_json(fields_of(document));
  EXPECT_EQ(json, "{\"id\": \"d1\", \"text\": \"" + document.text +
                      "\", \"html\": false, \"url\": \"http://h.org/1\", \"date\": \"2026-01-10\", "
                      "\"fields\": {\"version\": 0}}");
  NewDocument read;
  ASSERT_TRUE(read_fields("{\"id\": 7, \"text\": \"t\"}", "it", fields_of(read)).ok());
  EXPECT_EQ(read.id, "7");
  DeletedDocuments deleted{3, {"7", "\"a\""}};
  EXPECT_EQ(fields_json(fields_of(deleted)), "{\"deleted\": 3, \"not_there\": [7,\"a\"]}");
  DeletedDocuments again;
  ASSERT_TRUE(read_fields(fields_json(fields_of(deleted)), "it", fields_of(again)).ok());
  EXPECT_EQ(again.not_there, deleted.not_there);
}

}  // namespace
}  // namespace twinset::testing
