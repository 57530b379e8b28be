#include "look/decisions_file.h"

#include <gtest/gtest.h>

#include "io/field_json.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

RecordDecision decision_of(const std::string& id, std::uint64_t record, Decided decided) {
  return {id, {id, "in.jsonl", record}, decided, "", "2026-11-27T20:00:00Z"};
}

std::string text_of(const Result<RecordDecisions>& read) {
  if (!read.ok()) return "error: " + read.error().message;
  std::string out;
  for (const RecordDecision& one : read.value().decisions) {
    out += one.record + "=" + std::string(name_of(one.decision)) + " ";
  }
  return out;
}

TEST(DecisionsFileTest, TheLastLineOfARecordCounts) {
  const testing::ScratchFolder folder;
  const DecisionsFile file(disk(), folder / "d.jsonl");
  EXPECT_EQ(text_of(file.read()), "");
  const std::vector<RecordDecision> first{decision_of("a", 1, Decided::restore),
                                          decision_of("b", 2, Decided::restore)};
  ASSERT_TRUE(file.append(first).ok());
  const std::vector<RecordDecision> second{decision_of("a", 1, Decided::none),
                                           decision_of("c", 3, Decided::remove)};
  ASSERT_TRUE(file.append(second).ok());
  EXPECT_EQ(text_of(file.read()), "b=restore c=remove ");
  EXPECT_EQ(folder.read("d.jsonl").substr(0, folder.read("d.jsonl").find('\n')),
            R"({"record": "a", "id": "a", "file": "in.jsonl", "number": 1, )"
            R"("decision": "restore", "time": "2026-11-27T20:00:00Z"})");
  // The same id in another place is another record.
  const std::vector<RecordDecision> third{decision_of("b", 9, Decided::remove)};
  ASSERT_TRUE(file.append(third).ok());
  EXPECT_EQ(text_of(file.read()), "b=restore c=remove b=remove ");
}

TEST(DecisionsFileTest, ATornLineStaysAndIsTold) {
  const testing::ScratchFolder folder;
  const DecisionsFile file(disk(), folder / "d.jsonl");
  const std::vector<RecordDecision> both{decision_of("a", 1, Decided::restore),
                                         decision_of("b", 2, Decided::restore)};
  ASSERT_TRUE(file.append(both).ok());
  const std::string whole = folder.read("d.jsonl");
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t cut = first + 1; cut < whole.size(); ++cut) {
    folder.write("d.jsonl", whole.substr(0, cut));
    const Result<RecordDecisions> torn = file.read();
    EXPECT_EQ(text_of(torn), "a=restore ") << cut;
    ASSERT_EQ(torn.value().notes.size(), 1U);
    EXPECT_NE(torn.value().notes[0].find("d.jsonl:2 ends early"), std::string::npos);
    const std::vector<RecordDecision> next{decision_of("c", 3, Decided::restore)};
    ASSERT_TRUE(file.append(next).ok());
    EXPECT_EQ(folder.read("d.jsonl").substr(0, cut), whole.substr(0, cut));
    // If all but its end was there, the line is whole now.
    EXPECT_EQ(text_of(file.read()),
              cut + 1 == whole.size() ? "a=restore b=restore c=restore " : "a=restore c=restore ");
  }
}

TEST(DecisionsFileTest, OneSentenceForLinesThatAreNone) {
  const testing::ScratchFolder folder;
  folder.write("d.jsonl",
               "hello\n\n{\"record\": \"a\", \"decision\": \"burn\"}\n{}\n{\"record\": \"\", "
               "\"decision\": \"restore\"}\n{\"record\": \"x:1\", \"decision\": \"restore\"}\n");
  const Result<RecordDecisions> read = DecisionsFile(disk(), folder / "d.jsonl").read();
  EXPECT_EQ(text_of(read), "x:1=restore ");
  ASSERT_EQ(read.value().notes.size(), 1U);
  EXPECT_NE(read.value().notes[0].find("4 lines of "), std::string::npos);
  EXPECT_NE(to_json(read.value()).find("\"notes\": [\"4 lines of "), std::string::npos);
}

TEST(DecisionsFileTest, AnotherWriterIsTold) {
  const testing::ScratchFolder folder;
  std::string holder;
  const auto lock = disk().lock(folder / "d.jsonl.lock", "another", holder);
  ASSERT_TRUE(lock.ok());
  const std::vector<RecordDecision> one{decision_of("a", 1, Decided::restore)};
  const Status refused = DecisionsFile(disk(), folder / "d.jsonl").append(one);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_EQ(folder.read("d.jsonl"), "");
  EXPECT_FALSE(DecisionsFile(disk(), folder / "no/such/d.jsonl").append(one).ok());
}

}  // namespace
}  // namespace twinset
