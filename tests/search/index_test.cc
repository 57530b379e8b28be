// Index: opened for questions by text, id and URL.
#include "search/search_testing.h"

namespace twinset::testing {
namespace {

std::string three_documents() {
  const std::string text = words_of(1, 200);
  return record_line("a", text, ", \"url\": \"http://h/a\"") +
         record_line("near", text + " and a few words more", ", \"url\": \"http://h/b\"") +
         record_line("far", words_of(2, 200), ", \"url\": \"http://h/b\"");
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

TEST(Index, IsNotOpenedWhereNoneIs) {
  SearchFolder folder;
  EXPECT_FALSE(Index::open(folder.options.index).ok());
  EXPECT_FALSE(Index::open("").ok());
}

}  // namespace
}  // namespace twinset::testing
