#include "stats/term_file.h"

#include <gtest/gtest.h>

#include <map>

#include "base/file_header.h"
#include "rows/rows_testing.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

struct Term {
  std::string text;
  std::uint64_t documents = 0;
  TermPart part = TermPart::none;
  bool operator==(const Term&) const = default;
};
using Terms = std::vector<Term>;

TermTable made_table() {
  TermTable table;
  table.documents = 1000;
  table.analyzer = "words";
  table.analyzer_version = 2;
  table.unicode = "15.0.0";
  table.command = "twinset lexicon count a.jsonl";
  table.note = "\"quoted\", and \xc3\xa9";
  table.files = 3;
  table.content = "00112233445566778899aabbccddeeff";
  return table;
}

/// In order, with shared beginnings, bytes above ASCII, and the longest.
Terms made_terms(std::size_t count) {
  std::map<std::string, std::uint64_t> terms;
  for (std::size_t i = 0; i < count; ++i) {
    terms[std::string(i % 7, 'a') + std::to_string(i * 7919 % 10'007)] = i % 1000 + 1;
  }
  if (count > 10) {
    terms["\xd1\x80\xd0\xbe\xd0\xb7\xd0\xb0"] = 1000;
    terms[std::string(max_term_bytes, 'm')] = 1;
  }
  Terms made;
  for (const auto& [text, documents] : terms) made.push_back({text, documents});
  return made;
}

Result<TermTable> write(FileSystem& files, const TermTable& table, const Terms& terms) {
  const RunContext context = context_on(files);
  TermWriter writer(context, "x.df", table);
  for (const Term& term : terms) TWINSET_TRY(writer.append({term.text, term.documents, term.part}));
  return writer.finish();
}

Result<Terms> read(FileSystem& files) {
  TWINSET_ASSIGN(const TermFile file, TermFile::open(files, "x.df"));
  Terms terms;
  TWINSET_TRY(file.for_each([&](const CountedTerm& term) -> Status {
    terms.push_back({std::string(term.text), term.documents, term.part});
    return {};
  }));
  return terms;
}

TEST(TermFile, IsReadAsItWasWritten) {
  for (const std::size_t count : {0, 1, 20, 10'000}) {
    MemoryFiles files;
    const Terms terms = made_terms(count);
    const Result<TermTable> made = write(files, made_table(), terms);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(read(files).value(), terms);
    const TermTable table = TermFile::open(files, "x.df").value().table();
    EXPECT_EQ(table.hash, made.value().hash);
    EXPECT_EQ(table.hash, fingerprint_text(fingerprint_file(files, "x.df").value()));
    EXPECT_EQ(table.path, "x.df");
    EXPECT_EQ(table.terms, terms.size());
    EXPECT_EQ(table.documents, 1000U);
    EXPECT_EQ(table.analyzer, "words");
    EXPECT_EQ(table.analyzer_version, 2U);
    EXPECT_EQ(table.unicode, "15.0.0");
    EXPECT_EQ(table.command, made_table().command);
    EXPECT_EQ(table.note, made_table().note);
    EXPECT_EQ(table.files, 3U);
    EXPECT_EQ(table.content, made_table().content);
    EXPECT_FALSE(table.is_lexicon());
    EXPECT_TRUE(TermFile::is_one(files, "x.df").value());
  }
}

TEST(TermFile, ALexiconKeepsItsWindows) {
  MemoryFiles files;
  TermTable table = made_table();
  table.primary = NidfWindow{Ratio(1, 5), Ratio(4, 5), 4, 251, 1};
  table.secondary = NidfWindow{Ratio(4, 5), Ratio(1, 1), 1, 4, 2};
  table.min_df = 2;
  table.made_from = "ff";
  const Terms terms{
      {"a", 3, TermPart::secondary}, {"b", 100, TermPart::primary}, {"c", 2, TermPart::secondary}};
  ASSERT_TRUE(write(files, table, terms).ok());
  EXPECT_EQ(read(files).value(), terms);
  const TermTable again = TermFile::open(files, "x.df").value().table();
  ASSERT_TRUE(again.primary.has_value());
  ASSERT_TRUE(again.secondary.has_value());
  EXPECT_EQ(again.primary->low, Ratio(1, 5));
  EXPECT_EQ(again.primary->most_df, 251U);
  EXPECT_EQ(again.secondary->terms, 2U);
  EXPECT_EQ(again.min_df, 2U);
  EXPECT_EQ(again.made_from, "ff");
}

// The hash tells contents apart: it is a file's name in every fingerprint.
TEST(TermFile, AnotherContentHasAnotherHash) {
  MemoryFiles files;
  Terms terms = made_terms(100);
  const std::string hash = write(files, made_table(), terms).value().hash;
  EXPECT_EQ(write(files, made_table(), terms).value().hash, hash);
  ++terms[50].documents;
  EXPECT_NE(write(files, made_table(), terms).value().hash, hash);
}

TEST(TermFile, EveryDamagedByteIsAnError) {
  MemoryFiles files;
  ASSERT_TRUE(write(files, made_table(), made_terms(40)).ok());
  const std::string good = files.read("x.df");
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    ASSERT_TRUE(files.write("x.df", bad).ok());
    const Result<Terms> terms = read(files);
    ASSERT_FALSE(terms.ok()) << at;
    EXPECT_NE(terms.error().message.find("x.df"), std::string::npos) << terms.error().message;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_TRUE(files.write("x.df", good.substr(0, size)).ok());
    EXPECT_FALSE(read(files).ok()) << size;
  }
  ASSERT_TRUE(files.write("x.df", good + "x").ok());
  EXPECT_FALSE(read(files).ok());
}

TEST(TermFile, AnotherVersionIsRefusedInOneSentence) {
  MemoryFiles files;
  ASSERT_TRUE(write(files, made_table(), made_terms(5)).ok());
  std::string bytes = files.read("x.df");
  bytes.replace(0, file_header_bytes,
                encode_file_header({.format = "df", .version = 2, .rows = 5}));
  ASSERT_TRUE(files.write("x.df", bytes).ok());
  const Result<TermFile> opened = TermFile::open(files, "x.df");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::io);
  EXPECT_EQ(opened.error().message,
            "x.df is of \"df\" version 2; this twinset reads version 1: make it again with this "
            "one");
}

TEST(TermFile, OtherFilesAreNotTaken) {
  MemoryFiles files;
  ASSERT_TRUE(files.write("x.df", "{\"text\": \"rose\"}\n").ok());
  EXPECT_FALSE(TermFile::is_one(files, "x.df").value());
  EXPECT_FALSE(TermFile::is_one(files, "none").value());
  EXPECT_FALSE(TermFile::open(files, "x.df").ok());
  EXPECT_FALSE(TermFile::open(files, "none").ok());
  ASSERT_TRUE(files.write("x.df", encode_file_header({.format = "rows"})).ok());
  EXPECT_NE(TermFile::open(files, "x.df").error().message.find("holds \"rows\""),
            std::string::npos);
}

TEST(TermFile, AWriterThatIsDroppedLeavesNothing) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  {
    TermWriter writer(context, "x.df", made_table());
    ASSERT_TRUE(writer.append({"rose", 1}).ok());
  }
  EXPECT_EQ(files.bytes(), 0U);
}

}  // namespace
}  // namespace twinset::testing
