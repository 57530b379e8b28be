#include "run/read_fates.h"

#include <gtest/gtest.h>

#include <fstream>

#include "run/collection_run.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

TEST(SetReadFates, AreThoseOfTheRecordsAndCountedWithoutReferences) {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "in.jsonl") << "{\"text\": \"one two three\"}\n"
                                     << "\n{broken\n{\"text\": \"one\"}\n{\"text\": \"a b c\"}\n";
  std::ofstream(folder / "known.jsonl") << "{\"text\": \"one two three four\"}\n{broken\n";
  CollectionOptions options;
  options.inputs = {folder / "in.jsonl"};
  options.scheme = "fss";
  options.min_tokens = 2;
  options.resources.threads = 1;
  VerbOptions verb;
  verb.name = verb.identity = "verb";
  verb.output = folder / "out";
  verb.references = {folder / "known.jsonl"};
  CollectionRun run(options, verb, RunControl());
  ASSERT_TRUE(run.prepare().ok());
  ASSERT_TRUE(run.open().ok());
  ASSERT_TRUE(run.read(DocumentKeys::Stored::count).ok());
  EXPECT_EQ(lines_of(run.state), 7U);
  RecordCounts counts;
  DocumentTable table(run.state.lines, run.job.reference_sources);
  ASSERT_TRUE(set_read_fates(*run.stores.records, table, counts).ok());
  // The reference comes first.
  std::vector<Fate> fates;
  for (std::uint64_t i = 0; i < 7; ++i) fates.push_back(table.standing(i).fate);
  EXPECT_EQ(fates, (std::vector<Fate>{Fate::kept, Fate::bad, Fate::kept, Fate::absent, Fate::bad,
                                      Fate::filtered, Fate::kept}));
  EXPECT_EQ(counts.read, 4U);
  EXPECT_EQ(counts.documents, 2U);
  EXPECT_EQ(counts.quarantined, 1U);
  EXPECT_EQ(counts.filtered, 1U);
  EXPECT_EQ(counts.carried, 0U);
}

}  // namespace
}  // namespace twinset
