// Index: opened for questions by text, id and URL.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "search/search_testing.h"

namespace twinset::testing {
namespace {

std::string three_documents() {
  const std::string text = words_of(1, 200);
  return record_line("a", text, ", \"url\": \"http://h/a\"") +
         record_line("near", text + " and a few words more", ", \"url\": \"http://h/b\"") +
         record_line("far", words_of(2, 200), ", \"url\": \"http://h/b\"");
}

std::string file_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::vector<std::string> ids_in(const IndexAnswer& answer) {
  std::vector<std::string> ids;
  for (const IndexHit& hit : answer.hits) ids.push_back(hit.document.id);
  return ids;
}

TEST(Index, AnswersAboutTextsAndItsOwnDocuments) {
  using Ids = std::vector<std::string>;
  for (const bool texts : {false, true}) {
    SearchFolder folder;
    folder.options.settings.texts = texts;
    folder.options.settings.scheme = {"mod(samples=64)", "fss"};
    folder.options.url = "url";
    ASSERT_TRUE(folder.create().ok());
    ASSERT_TRUE(folder.add(three_documents()).ok());
    const auto opened = Index::open(folder.options.index);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Index& index = opened.value();
    EXPECT_EQ(index.stats().documents, 3U);
    const IndexAnswer by_text = index.query(words_of(1, 200)).value();
    EXPECT_EQ(ids_in(by_text), (Ids{"\"a\"", "\"near\""}));
    EXPECT_EQ(by_text.hits[0].same, Sameness::bytes);
    EXPECT_EQ(by_text.hits[1].exact, texts);
    // Its own documents, whether their texts are there or their keys are looked for.
    EXPECT_EQ(ids_in(index.query_document("a").value()), (Ids{"\"a\"", "\"near\""}));
    EXPECT_EQ(index.query_document("a").value().hits[1].resemblance->value,
              by_text.hits[1].resemblance->value);
    EXPECT_EQ(ids_in(index.query_document("http://h/b").value()), (Ids{"\"far\""}));
    EXPECT_EQ(index.query_document("nobody").error().code, ErrorCode::usage);
    EXPECT_EQ(index.find("near").value()->url, "http://h/b");
    EXPECT_FALSE(index.find("http://h/b").value().has_value());
    EXPECT_TRUE(index.query("").value().hits.empty());
    // A page is read without its markup.
    const std::string page = "<html><p>" + words_of(1, 200) + "</p></html>";
    EXPECT_EQ(index.query(page, {}, true).value().hits[0].same, Sameness::tokens);
  }
}

/// The index of tests/data/index/in.jsonl, as version 2 of the files has it: made by
///   twinset index create v2 --scheme 'mod(samples=64)' --scheme fss
///   twinset index add v2 in.jsonl --url link --date day --field lang
///   twinset index delete v2 b
TEST(Index, OfVersion2IsReadAndMadeAgainByteForByte) {
  const std::string data =
      (std::filesystem::path(__FILE__).parent_path() / "../data/index").string();
  SearchFolder golden;
  golden.options.index = data + "/v2";
  golden.options.inputs = {};
  const auto verified = verify_index(golden.options, quiet_control());
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_EQ(verified.value().stats.documents, 2U);
  EXPECT_EQ(golden.all(), (std::vector<std::string>{
                              "{\"id\": \"a\", \"url\": \"http://h/a\", \"date\": \"2026-01-02\"}",
                              "{\"id\": 7, \"fields\": {\"lang\": \"en\"}}"}));
  const Index index = Index::open(data + "/v2").value();
  const IndexAnswer answer =
      index.query("The quick brown fox jumps over the lazy dog and runs far away").value();
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits[0].document.id, "\"a\"");

  SearchFolder again;
  again.options.settings.scheme = {"mod(samples=64)", "fss"};
  ASSERT_TRUE(again.create().ok());
  again.options.url = "link";
  again.options.date = "day";
  again.options.field = {"lang"};
  again.options.inputs = {data + "/in.jsonl"};
  ASSERT_TRUE(add_to_index(again.options, quiet_control()).ok());
  ASSERT_TRUE(again.remove({"b"}).ok());
  for (const char* name : {"manifest", "1/documents", "1/keys", "1/0.sketches", "1/1.sketches",
                           "1/removed", "1/deleted.2"}) {
    EXPECT_EQ(again.folder.read(std::string("x/") + name), file_of(data + "/v2/" + name)) << name;
  }
}

TEST(Index, IsNotOpenedWhereNoneIs) {
  SearchFolder folder;
  EXPECT_FALSE(Index::open(folder.options.index).ok());
  EXPECT_FALSE(Index::open("").ok());
}

}  // namespace
}  // namespace twinset::testing
