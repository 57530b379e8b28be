#include "stats/term_fields.h"

#include "support/field_check.h"

namespace twinset {
namespace {

TermTable made_table() {
  TermTable table;
  table.path = "web.lexicon";
  table.hash = "0011";
  table.documents = 1000;
  table.terms = 12;
  table.analyzer = "words";
  table.analyzer_version = 2;
  table.unicode = "15.0.0";
  table.command = "lexicon build";
  table.made_from = "ff11";
  table.files = 1;
  table.content = "aa11";
  table.min_df = 2;
  table.note = "our own";
  table.primary = NidfWindow{Ratio(1, 5), Ratio(4, 5), 14, 900, 12};
  return table;
}

TEST(TermFields, OfALexiconAndOfADfFile) {
  TermTable table = made_table();
  EXPECT_EQ(fields_json(fields_of(table)),
            R"({"kind": "lexicon", "file": "web.lexicon", "hash": "0011", "documents": 1000, )"
            R"("terms": 12, "primary": {"low": "0.2", "high": "0.8", "least_df": 14, )"
            R"("most_df": 900, "terms": 12}, "min_df": 2, "made_from": "ff11", )"
            R"("analyzer": "words", "analyzer_version": 2, "unicode": "15.0.0", )"
            R"("command": "lexicon build", "files": 1, "content": "aa11", "note": "our own"})");
  table.primary.reset();
  const std::string json = fields_json(fields_of(table));
  EXPECT_TRUE(json.starts_with(R"({"kind": "df", )")) << json;
  EXPECT_NE(json.find(R"("terms": 12, "min_df": 2, "analyzer": )"), json.npos) << json;
  table.min_df = 1;
  EXPECT_NE(fields_json(fields_of(table)).find(R"("terms": 12, "analyzer": )"), json.npos);
}

TEST(TermFields, OfAFileGoBothWays) {
  TermTable table = made_table();
  table.secondary = NidfWindow{Ratio(4, 5), Ratio(9, 10), 2, 13, 5};
  const std::string json = fields_json(stored_fields(table));
  EXPECT_TRUE(json.starts_with(R"({"documents": 1000, "analyzer": "words", )")) << json;
  TermTable again;
  const Status read = read_fields(json, "web.lexicon", stored_fields(again));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(fields_json(stored_fields(again)), json);
  EXPECT_EQ(again.secondary->high, Ratio(9, 10));
  EXPECT_EQ(again.note, "our own");
  EXPECT_EQ(again.hash, "");  // Not in that JSON.
}

TEST(TermFields, ATableThatCannotBeIsRefused) {
  const auto refusal = [](const std::function<void(TermTable&)>& change) {
    TermTable table = made_table();
    change(table);
    const std::string json = fields_json(stored_fields(table));
    TermTable again;
    const Status read = read_fields(json, "x", stored_fields(again));
    return read.ok() ? std::string() : read.error().message;
  };
  EXPECT_EQ(refusal([](TermTable&) {}), "");
  EXPECT_NE(refusal([](TermTable& table) { table.documents = 0; }).find("from 1 to 2^61"),
            std::string::npos);
  EXPECT_NE(
      refusal([](TermTable& table) { table.documents = std::uint64_t{1} << 62; }).find("2^61"),
      std::string::npos);
  EXPECT_NE(refusal([](TermTable& table) { table.primary->least_df = 0; }).find("windows lie"),
            std::string::npos);
  EXPECT_NE(refusal([](TermTable& table) { table.primary->least_df = 901; }).find("windows lie"),
            std::string::npos);
  EXPECT_NE(refusal([](TermTable& table) { table.primary->most_df = 1001; }).find("windows lie"),
            std::string::npos);
  EXPECT_NE(refusal([](TermTable& table) {
              std::swap(table.primary, table.secondary);
            }).find("no secondary part"),
            std::string::npos);
}

TEST(TermFields, OfATerm) {
  CountedTerm term{"ro\"se", 10, TermPart::none};
  EXPECT_EQ(fields_json(fields_of(term)), R"({"term": "ro\"se", "df": 10})");
  term.part = TermPart::secondary;
  EXPECT_EQ(fields_json(fields_of(term)), R"({"term": "ro\"se", "df": 10, "part": "secondary"})");
}

}  // namespace
}  // namespace twinset
