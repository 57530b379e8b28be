#include "stats/tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file_header.h"
#include "stats/lexicon.h"
#include "stats/table_list.h"
#include "system/memory_files.h"
#include "text/analyzer.h"
#include "text/token_hash.h"
#include "text/unicode_table.h"

namespace twinset {
namespace {

// S-05, I-04: tables that a run can begin with, each a whole df file of today's analyzer.
TEST(BuiltInTables, EachIsADfFileOfWords) {
  MemoryFiles none;
  ASSERT_GE(listed_tables().size(), 4U);
  for (const BuiltInTable& built_in : listed_tables()) {
    const std::string name(built_in.name);
    SCOPED_TRACE(name);
    const Result<TermFile> file = TermFile::open_named(none, name);
    ASSERT_TRUE(file.ok()) << file.error().message;
    const TermTable& table = file.value().table();
    EXPECT_EQ(table.path, name);
    EXPECT_FALSE(table.is_lexicon());
    EXPECT_EQ(table.hash, fingerprint_text(fingerprint_table(none, name).value()));
    EXPECT_GT(table.documents, 10'000U);
    EXPECT_GT(table.terms, 30'000U);
    EXPECT_EQ(table.min_df, 2U);
    EXPECT_EQ(table.unicode, unicode::version);
    EXPECT_NE(table.note.find("under the license of twinset"), std::string::npos);
    const Analyzer& analyzer = *find_analyzer(table.analyzer);
    EXPECT_EQ(table.analyzer_version, analyzer.version());
    Analysis analysis;
    std::uint64_t read = 0;
    const Status done = file.value().for_each([&](const CountedTerm& term) -> Status {
      EXPECT_GE(term.documents, 2U) << term.text;
      // Each fifth: tokens are looked up by their hash.
      if (++read % 5 != 0) return {};
      analyzer.analyze(term.text, Offsets::drop, analysis);
      EXPECT_EQ(analysis.tokens, std::vector{token_hash(term.text)}) << term.text;
      return {};
    });
    EXPECT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(read, table.terms);
  }
}

TEST(BuiltInTables, SpeakTheLanguageOfTheirName) {
  MemoryFiles none;
  const std::pair<const char*, const char*> frequent[] = {{"english", "the"},
                                                          {"french", "les"},
                                                          {"german", "und"},
                                                          {"italian", "che"},
                                                          {"spanish", "los"}};
  ASSERT_EQ(std::size(frequent), listed_tables().size());
  for (const auto& [name, word] : frequent) {
    const TermFile file = TermFile::open_named(none, name).value();
    std::uint64_t df = 0;
    ASSERT_TRUE(file.for_each([&, wanted = word](const CountedTerm& term) -> Status {
                      if (term.text == wanted) df = term.documents;
                      return {};
                    })
                    .ok());
    EXPECT_GT(df, file.table().documents / 5) << name;
  }
}

TEST(BuiltInTables, AFileOfTheirNameIsReachedByAPath) {
  MemoryFiles files;
  ASSERT_TRUE(files.write("./german", "not a table").ok());
  EXPECT_TRUE(is_built_in_table("german"));
  EXPECT_TRUE(TermFile::open_named(files, "german").ok());
  EXPECT_FALSE(is_built_in_table("./german"));
  EXPECT_FALSE(TermFile::open_named(files, "./german").ok());
  EXPECT_FALSE(TermFile::open_named(files, "klingon").ok());
}

TEST(BuiltInTables, CannotBeWritten) {
  MemoryFiles none;
  const std::unique_ptr<File> file = open_built_in_table("german");
  EXPECT_FALSE(file->append("x").ok());
  EXPECT_FALSE(file->write_at(0, "x").ok());
  EXPECT_FALSE(file->truncate(0).ok());
  EXPECT_EQ(
      file->size().value(),
      std::find_if(listed_tables().begin(), listed_tables().end(), [](const BuiltInTable& table) {
        return table.name == "german";
      })->bytes.size());
  char end = 0;
  EXPECT_EQ(file->read_at(file->size().value(), &end, 1).value(), 0U);
}

}  // namespace
}  // namespace twinset
