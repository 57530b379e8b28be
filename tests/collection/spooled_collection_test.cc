// The records read again from the spool are those read the first time.
#include "collection/spooled_collection.h"

#include <gtest/gtest.h>

#include "collection/file_collection.h"
#include "support_runs/job_testing.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::vector<std::string> read(Collection& collection, std::uint64_t source,
                              const ReaderLimits& limits) {
  FieldNames fields;
  fields.named = {"n"};
  auto reader = collection.open(source, limits);
  EXPECT_TRUE(reader.ok());
  std::vector<std::string> records;
  RecordBatch batch;
  while (reader.value()->read(batch).value()) {
    reader.value()->decode(fields, batch);
    for (const Record& record : batch.records) {
      records.push_back(std::to_string(record.number) + " " + std::string(record.raw) + " " +
                        std::string(record.text) + " " + std::string(record.id) + " " +
                        std::string(record.field(0)) + " " + std::string(reason_name(record.bad)));
      if (record.bad != BadReason::none) continue;
      std::string raw(record.raw.size(), '\0');
      EXPECT_EQ(collection.read_at(source, record.offset, raw).value(), raw.size());
      EXPECT_EQ(raw, record.raw);
    }
  }
  records.push_back(std::to_string(batch.lines) + " lines");
  return records;
}

TEST(SpooledCollection, GivesTheSameRecordsAgain) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 500; ++i) {
    lines += "{\"text\": \"a\\n" + std::to_string(i) + "\", \"id\": " + std::to_string(i) +
             (i % 3 == 0 ? ", \"n\": [1]}\n" : "}\n");
    if (i % 50 == 7) lines += "\n\nbad\n";
  }
  InputOptions options;
  options.inputs = {folder.write("a.jsonl", lines), folder.write("b.jsonl", "\n\n")};
  auto found = FileCollection::find(unsynced(), options);
  ASSERT_TRUE(found.ok());
  std::shared_ptr<Collection> below = std::move(found).value();
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  SpooledCollection spooled(below, context, "spool");
  for (std::uint64_t source = 0; source < 2; ++source) {
    const std::vector<std::string> expected = read(*below, source, {});
    EXPECT_EQ(read(spooled, source, {}), expected) << "the first time";
    for (const std::uint64_t batch_bytes : {std::uint64_t{1}, std::uint64_t{5000}, UINT64_MAX}) {
      ReaderLimits limits;
      limits.batch_bytes = batch_bytes;
      EXPECT_EQ(read(spooled, source, limits), expected) << batch_bytes;
    }
  }
  EXPECT_EQ(spooled.rereading(0), Rereading::at_random);
}

TEST(SpooledCollection, DamageIsAnErrorAndNeverAnotherRecord) {
  const ScratchFolder folder;
  InputOptions options;
  options.inputs = {folder.write("a.jsonl", "{\"text\": \"one\"}\n{\"text\": \"two\"}\n")};
  auto found = FileCollection::find(unsynced(), options);
  ASSERT_TRUE(found.ok());
  const std::shared_ptr<Collection> below = std::move(found).value();
  for (const char* const part : {"spool.blobs", "spool.places", "spool.heads"}) {
    MemoryFiles files;
    RunContext context;
    context.files = &files;
    SpooledCollection spooled(below, context, "spool");
    read(spooled, 0, {});
    auto file = files.open(part, OpenMode::append);
    ASSERT_TRUE(file.ok()) << part;
    const std::uint64_t last = file.value()->size().value() - 1;
    char byte = 0;
    ASSERT_EQ(file.value()->read_at(last, &byte, 1).value(), 1u);
    byte ^= 1;
    ASSERT_TRUE(file.value()->write_at(last, {&byte, 1}).ok());
    RecordBatch batch;
    const auto again = spooled.open(0, {}).value()->read(batch);
    ASSERT_FALSE(again.ok()) << part;
    EXPECT_NE(again.error().message.find(part), std::string::npos) << again.error().message;
  }
}

}  // namespace
}  // namespace twinset
