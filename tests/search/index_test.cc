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

/// Where indexes of tests/data/index/in.jsonl are, as each version of twinset made them:
///   twinset index create v3 --scheme 'mod(samples=64)' --scheme fss
///   twinset index add v3 in.jsonl --url link --date day --field lang
///   twinset index delete v3 b
/// and what `twinset index compact` makes of that.
const std::string golden_indexes =
    (std::filesystem::path(__FILE__).parent_path() / "../data/index").string();

void expect_golden(const std::string& version) {
  const std::string& data = golden_indexes;
  SearchFolder golden;
  golden.options.index = data + "/" + version;
  golden.options.inputs = {};
  const auto verified = verify_index(golden.options, quiet_control());
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_EQ(verified.value().stats.documents, 2U);
  EXPECT_EQ(golden.all(), (std::vector<std::string>{
                              "{\"id\": \"a\", \"url\": \"http://h/a\", \"date\": \"2026-01-02\"}",
                              "{\"id\": 7, \"fields\": {\"lang\": \"en\"}}"}));
  const Index index = Index::open(data + "/" + version).value();
  const IndexAnswer answer =
      index.query("The quick brown fox jumps over the lazy dog and runs far away").value();
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits[0].document.id, "\"a\"");
}

TEST(Index, OfVersion2IsReadAndGoesOnAsVersion3) {
  expect_golden("v2");
  SearchFolder folder;
  std::filesystem::copy(golden_indexes + "/v2", folder.options.index,
                        std::filesystem::copy_options::recursive);
  ASSERT_TRUE(folder.remove({"a"}).ok());
  EXPECT_EQ(folder.all(),
            (std::vector<std::string>{"{\"id\": 7, \"fields\": {\"lang\": \"en\"}}"}));
  EXPECT_TRUE(folder.folder.read("x/manifest").starts_with("twinset-index 3 "));
}

TEST(Index, OfVersion3IsReadAndMadeAgainByteForByte) {
  expect_golden("v3");
  SearchFolder again;
  again.options.settings.scheme = {"mod(samples=64)", "fss"};
  ASSERT_TRUE(again.create().ok());
  again.options.url = "link";
  again.options.date = "day";
  again.options.field = {"lang"};
  again.options.inputs = {golden_indexes + "/in.jsonl"};
  ASSERT_TRUE(add_to_index(again.options, quiet_control()).ok());
  ASSERT_TRUE(again.remove({"b"}).ok());
  for (const std::string name : {"manifest", "log.1"}) {
    EXPECT_EQ(again.folder.read("x/" + name), file_of(golden_indexes + "/v3/" + name)) << name;
  }
  expect_golden("v3-compact");
  again.options.inputs = {};
  ASSERT_TRUE(compact_index(again.options, quiet_control()).ok());
  for (const std::string name :
       {"manifest", "2/documents", "2/keys", "2/0.sketches", "2/1.sketches", "2/removed"}) {
    EXPECT_EQ(again.folder.read("x/" + name), file_of(golden_indexes + "/v3-compact/" + name))
        << name;
  }
}

TEST(Index, IsNotOpenedWhereNoneIs) {
  SearchFolder folder;
  EXPECT_FALSE(Index::open(folder.options.index).ok());
  EXPECT_FALSE(Index::open("").ok());
}

}  // namespace
}  // namespace twinset::testing
