#include "look/asked_record.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(AskedRecord, IsNamedByIdWithoutQuotesOrByPlace) {
  EXPECT_TRUE(AskedRecord("n4").names("\"n4\"", "a.jsonl", 4));
  EXPECT_TRUE(AskedRecord("a.jsonl:4").names("\"n4\"", "a.jsonl", 4));
  EXPECT_TRUE(AskedRecord("7").names("7", "a.jsonl", 4));
  EXPECT_TRUE(AskedRecord("7").names("\"7\"", "a.jsonl", 4));
  EXPECT_TRUE(AskedRecord("").names("\"\"", "a.jsonl", 4));
  EXPECT_TRUE(AskedRecord("caf\xc3\xa9 \"x\"").names("\"caf\\u00e9 \\\"x\\\"\"", "a", 1));
  EXPECT_FALSE(AskedRecord("").names("", "a.jsonl", 4));
  EXPECT_FALSE(AskedRecord("n4").names("\"n44\"", "a.jsonl", 4));
  EXPECT_FALSE(AskedRecord("a.jsonl:4").names("\"n4\"", "a.jsonl", 44));
  EXPECT_FALSE(AskedRecord("a.jsonl:44").names("\"n4\"", "a.jsonl", 4));
}

// An id that another program wrote with other spaces is the same; strings within it keep theirs.
TEST(AskedRecord, ListsAreTheSameWhateverTheirSpaces) {
  EXPECT_TRUE(AskedRecord("[1,2]").names("[1, 2]", "a", 1));
  EXPECT_TRUE(AskedRecord("[ 1,\t2 ]").names("[1,2]", "a", 1));
  EXPECT_TRUE(AskedRecord(R"({"k":"a b"})").names(R"({ "k": "a b" })", "a", 1));
  EXPECT_FALSE(AskedRecord(R"({"k":"ab"})").names(R"({"k":"a b"})", "a", 1));
  EXPECT_FALSE(AskedRecord("[1,2]").names("[12]", "a", 1));
  EXPECT_FALSE(AskedRecord("[1,2").names("[1, 2]", "a", 1));
}

// A line that is skipped unparsed must not name the record.
TEST(AskedRecord, MayBeInWhateverNamesIt) {
  EXPECT_TRUE(AskedRecord("n4").may_be_in(R"({"id": "n4", "file": "a"})"));
  EXPECT_TRUE(AskedRecord("a:4").may_be_in(R"({"id": "x", "file": "a", "record": 4})"));
  EXPECT_TRUE(AskedRecord("caf\xc3\xa9").may_be_in(R"({"id": "caf\u00e9"})"));
  EXPECT_TRUE(AskedRecord("[1,2]").may_be_in(R"({"id": [1, 2]})"));
  EXPECT_TRUE(AskedRecord("").may_be_in(R"({"id": ""})"));
  EXPECT_FALSE(AskedRecord("n4").may_be_in(R"({"id": "n5", "file": "a", "record": 7})"));
}

TEST(PlaceList, HasEachRecordOnce) {
  PlaceList list;
  EXPECT_TRUE(list.add({{"n1", "a.jsonl", 1}, 0}));
  EXPECT_TRUE(list.add({{"n1", "b.jsonl", 1}, 0}));
  EXPECT_FALSE(list.add({{"n1", "a.jsonl", 1}, 0}));
  ASSERT_EQ(list.all().size(), 2U);
  EXPECT_EQ(several_records("n1", list.all()).message,
            "'n1' is the id of 2 records: a.jsonl:1, b.jsonl:1; name one of them so");
}

}  // namespace
}  // namespace twinset
