// read_hit_list(): lists as people write them, and one clear reason for each that is none.
#include <gtest/gtest.h>

#include "twinset/hits.h"

namespace twinset::testing {
namespace {

TEST(HitList, IsReadInAllItsForms) {
  const auto read = read_hit_list(
      R"( {"hits": ["a", 7, {"id": "b", "text": "t", "html": true, "url": "http://x/", "hidden": true, "fields": {"n": [1]}}],
           "access": ["staff", 3], "load": {"x": 0.5}, "id": "q1"} )");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const HitList& list = read.value();
  ASSERT_EQ(list.hits.size(), 3U);
  EXPECT_EQ(list.hits[0].id, "a");
  EXPECT_FALSE(list.hits[0].text.has_value());
  EXPECT_EQ(list.hits[1].id, "7");
  EXPECT_TRUE(list.hits[1].is_number);
  EXPECT_EQ(list.hits[2].text, "t");
  EXPECT_TRUE(list.hits[2].html && list.hits[2].hidden);
  EXPECT_EQ(list.hits[2].url, "http://x/");
  EXPECT_EQ(list.hits[2].fields, R"({"n": [1]})");
  EXPECT_EQ(list.access, (std::vector<std::string>{"staff", "3"}));
  ASSERT_EQ(list.load.size(), 1U);
  EXPECT_EQ(list.load[0].load, 0.5);
  EXPECT_EQ(list.id, "\"q1\"");
  EXPECT_EQ(read_hit_list("{\"hits\": [1e400]}").value().hits[0].id, "1e400");
  EXPECT_EQ(read_hit_list("{\"hits\": [], \"id\": \"\xff\"}").value().id, "\"\xef\xbf\xbd\"");
}

TEST(HitList, WhatIsNoneHasItsReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "the list"},
      {"[1]", "a list is an object, not an array"},
      {"{}", "a list has no hits"},
      {R"({"hits": "a"})", "hits is an array, not a string"},
      {R"({"hits": [null]})", "hit 1 is a string or a number, not null"},
      {R"({"hits": ["a", ""]})", "hit 2 is empty"},
      {R"({"hits": [NaN]})", "hit 1 is a string or a number"},
      {R"({"hits": ["a", {"text": "x"}]})", "hit 2 has no id"},
      {R"({"hits": [{"id": "a", "hiden": true}]})", "hit 1 has no field 'hiden'"},
      {R"({"hits": [{"id": "a", "hidden": 1}]})", "hit 1's hidden is true or false, not a number"},
      {R"({"hits": [{"id": "a", "fields": "x"}]})", "hit 1's fields is an object"},
      {R"({"hits": [{"id": "a", "text": 7}]})", "hit 1's text is a string"},
      {R"({"hits": [], "acess": []})", "a list has no field 'acess'"},
      {R"({"hits": [], "access": "all"})", "access is an array"},
      {R"({"hits": [], "access": [[1]]})", "a value of access is a string"},
      {R"({"hits": [], "load": {"a": "high"}})", "the load of a is a number"},
      {R"({"hits": [], "load": [1]})", "load is an object"},
      {R"({"hits": []} x)", "something follows"}};
  for (const auto& [json, reason] : cases) {
    const auto read = read_hit_list(json);
    ASSERT_FALSE(read.ok()) << json;
    EXPECT_EQ(read.error().code, ErrorCode::usage);
    EXPECT_NE(read.error().message.find(reason), std::string::npos)
        << json << ": " << read.error().message;
  }
}

}  // namespace
}  // namespace twinset::testing
