// add_to_index(): documents with their names, all or none, the same for any number of threads.
#include "search/search_testing.h"
#include "support/faulty_files.h"

namespace twinset::testing {
namespace {

TEST(IndexAdd, KeepsIdsUrlsDatesAndFields) {
  SearchFolder index;
  index.options.settings.texts = true;
  ASSERT_TRUE(index.create().ok());
  index.options.url = "link";
  index.options.date = "when";
  index.options.field = {"lang", "n"};
  const auto added = index.add(
      "{\"id\": 7, \"text\": \"one two\", \"link\": \"http://a/\", \"when\": \"2024-01-02\", "
      "\"lang\": \"en\", \"n\": [1, 2]}\n"
      "{\"text\": \"three\"}\n"
      "no JSON\n"
      "{\"id\": \"x\", \"text\": \"\"}\n");
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added.value().added, 3U);
  EXPECT_EQ(added.value().quarantined, 1U);
  ASSERT_EQ(added.value().bad_records.size(), 1U);
  const std::string place = index.folder / "in.jsonl:2";
  EXPECT_EQ(
      index.all(),
      (std::vector<std::string>{
          "{\"id\": 7, \"url\": \"http://a/\", \"date\": \"2024-01-02\", \"fields\": "
          "{\"lang\": \"en\", \"n\": [1, 2]}, \"text\": \"one two\"}",
          "{\"id\": \"" + place + "\", \"text\": \"three\"}", "{\"id\": \"x\", \"text\": \"\"}"}));
}

TEST(IndexAdd, AnIdIsTheSameHoweverItIsEscaped) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(index.add("{\"id\": \"a\\u0062\", \"text\": \"first\"}\n").ok());
  const auto added = index.add(record_line("ab", "second"));
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added.value().replaced, 1U);
  EXPECT_EQ(index.remove({"ab"}).value().removed, 1U);
}

TEST(IndexAdd, WarnsOfIdsThatComeAgain) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  const auto added =
      index.add(record_line("a", "first") + record_line("b", "other") + record_line("a", "second"));
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added.value().added, 2U);
  EXPECT_EQ(added.value().repeated, 1U);
  ASSERT_EQ(added.value().warnings.size(), 1U);
  EXPECT_EQ(added.value().warnings[0],
            "1 document has an id that comes again later in the inputs; of each id the last one "
            "is in the index");
}

TEST(IndexAdd, TheIndexIsTheSameForAnyNumberOfThreads) {
  std::string lines;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    lines += record_line("d" + std::to_string(i), words_of(i % 2000, i % 50));
  }
  std::string hashes[2];
  for (const unsigned threads : {1U, 4U}) {
    SearchFolder index;
    index.options.settings.scheme = {"mod", "fss"};
    index.options.resources.threads = threads;
    ASSERT_TRUE(index.create().ok());
    ASSERT_TRUE(index.add(lines).ok());
    hashes[threads / 4] = index.folder.read("x/manifest");
  }
  // It names the content of every file.
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(IndexAdd, TooManyBadRecordsLeaveTheIndexAsItIs) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(index.add(record_line("a", "first")).ok());
  const std::string manifest = index.folder.read("x/manifest");
  index.options.max_bad = 0;
  EXPECT_EQ(index.add(record_line("b", "second") + "bad\n").error().code, ErrorCode::bad_records);
  EXPECT_EQ(index.folder.read("x/manifest"), manifest);
  EXPECT_EQ(index.all().size(), 1U);
}

TEST(IndexAdd, RefusesWhatCannotBeAdded) {
  SearchFolder index;
  EXPECT_NE(index.add("").error().message.find("there is no index"), std::string::npos);
  index.options.inputs = {};
  ASSERT_TRUE(index.create().ok());
  EXPECT_EQ(add_to_index(index.options, quiet_control()).error().message, "no input given");
  index.options.inputs = {index.folder / "none.jsonl"};
  EXPECT_FALSE(add_to_index(index.options, quiet_control()).ok());
  index.options.index = "";
  EXPECT_EQ(add_to_index(index.options, quiet_control()).error().message,
            "no index given: name its folder");
}

}  // namespace
}  // namespace twinset::testing
