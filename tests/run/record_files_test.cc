// Rows and names: written, cut back, damaged.
#include "run/record_files.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using testing::folder_bytes;
using testing::ScratchFolder;
using testing::unsynced;

RunContext context_in(const ScratchFolder& folder) {
  RunContext context;
  context.files = &unsynced();
  context.tmp = folder.path();
  return context;
}

/// Record `i`, always the same: its row and names.
struct MadeRow {
  explicit MadeRow(std::uint64_t i) : random(i) {
    row.offset = random();
    row.length = static_cast<std::uint32_t>(random());
    row.size = static_cast<std::uint32_t>(random());
    fate = static_cast<Fate>(random() % 4);
    id = i % 5 == 0 ? "" : "\"id-" + std::string(random() % 40, 'x') + std::to_string(i) + "\"";
    order = i % 3 == 0 ? "" : std::to_string(random());
  }
  std::mt19937_64 random;
  RecordRow row;
  Fate fate;
  std::string id;
  std::string order;
};

void append_rows(RecordFiles& files, std::uint64_t first, std::uint64_t count) {
  RecordRows added;
  for (std::uint64_t i = first; i < first + count; ++i) {
    MadeRow made(i);
    made.row.set_fate(made.fate);
    const auto id_bytes = static_cast<std::uint32_t>(made.id.size());
    added.names += made.id + made.order;
    added.names.append(reinterpret_cast<const char*>(&id_bytes), sizeof id_bytes);
    added.add(made.row);
  }
  ASSERT_TRUE(files.append(added).ok());
}

RecordFiles files_in(const RunContext& context, const ScratchFolder& folder) {
  return {context, folder / "run", RecordFiles::Size::tokens, true};
}

void expect_rows(const RecordFiles& files, std::uint64_t count) {
  const auto expect_row = [&](std::uint64_t i, const RecordRow& row) {
    const MadeRow made(i);
    ASSERT_EQ(row.offset, made.row.offset) << i;
    ASSERT_EQ(row.length, made.row.length);
    ASSERT_EQ(row.size, made.row.size);
    ASSERT_EQ(row.fate(), made.fate);
    std::string id;
    std::string order;
    ASSERT_TRUE(files.names(i, id, order).ok());
    ASSERT_EQ(id, made.id);
    ASSERT_EQ(order, made.order);
  };
  std::uint64_t next = 0;
  ASSERT_TRUE(files
                  .for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
                    EXPECT_EQ(index, next++);
                    expect_row(index, row);
                    return {};
                  })
                  .ok());
  EXPECT_EQ(next, count);
  for (std::uint64_t i = 0; i < count; i += 1 + count / 50) {
    const Result<RecordRow> row = files.row(i);
    ASSERT_TRUE(row.ok());
    expect_row(i, row.value());
  }
  EXPECT_FALSE(files.row(count).ok());
}

TEST(RecordFingerprint, IsOfTheBytesWithoutTheirLineEnd) {
  EXPECT_EQ(record_fingerprint("{\"text\": 1}\n"), record_fingerprint("{\"text\": 1}"));
  EXPECT_NE(record_fingerprint("one\n\n"), record_fingerprint("one\n"));
  EXPECT_NE(record_fingerprint("one\r\n"), record_fingerprint("one\n"));
  EXPECT_EQ(record_fingerprint("\n"), record_fingerprint(""));
}

TEST(RecordFiles, GiveBackWhatWasAppended) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  RecordFiles files = files_in(context, folder);
  ASSERT_TRUE(files.open(nullptr).ok());
  expect_rows(files, 0);
  append_rows(files, 0, 3);
  append_rows(files, 3, 0);
  append_rows(files, 3, 20'000);
  append_rows(files, 20'003, 1);
  expect_rows(files, 20'004);
  std::uint64_t stored = 0;
  for (const auto& [name, bytes] : folder_bytes(folder.path())) stored += bytes.size();
  EXPECT_EQ(files.stored_bytes(), stored);
}

// Blank lines take their place among the rows.
TEST(RecordFiles, AbsentRowsStandWhereTheyWere) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  RecordFiles files(context, folder / "run", RecordFiles::Size::tokens, false);
  ASSERT_TRUE(files.open(nullptr).ok());
  RecordRows added;
  for (const char* id : {"x", "y", "z"}) {
    added.names += id;
    added.add({});
  }
  added.absent = {{0, 2}, {1, 40'000}, {3, 1}};
  ASSERT_TRUE(files.append(added).ok());
  RecordRows blank;
  blank.absent = {{0, 5}};
  ASSERT_TRUE(files.append(blank).ok());
  EXPECT_EQ(files.stored_bytes(), 2 * file_header_bytes + 40'011 * RecordFiles::record_bytes + 3);
  std::map<std::uint64_t, std::string> kept;
  ASSERT_TRUE(files
                  .for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
                    if (row.fate() == Fate::absent) return {};
                    std::string order;
                    return files.names(index, kept[index], order);
                  })
                  .ok());
  EXPECT_EQ(kept, (std::map<std::uint64_t, std::string>{{2, "x"}, {40'003, "y"}, {40'004, "z"}}));
}

TEST(RecordFiles, GoOnWhereACheckpointWas) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  StateFile checkpoint;
  {
    RecordFiles files = files_in(context, folder);
    ASSERT_TRUE(files.open(nullptr).ok());
    append_rows(files, 0, 100);
    ASSERT_TRUE(files.checkpoint(checkpoint).ok());
    append_rows(files, 100, 77);
  }
  EXPECT_EQ(checkpoint.kept_files(),
            (std::vector<std::string>{folder / "run.records", folder / "run.names.blobs",
                                      folder / "run.names.places"}));
  // A killed run has left a torn row at the end.
  for (const char* suffix : {".records", ".names.blobs", ".names.places"}) {
    auto file = disk().open(folder / ("run" + std::string(suffix)), OpenMode::append);
    ASSERT_TRUE(file.value()->append("torn").ok());
  }
  RecordFiles files = files_in(context, folder);
  ASSERT_TRUE(files.open(&checkpoint).ok());
  expect_rows(files, 100);
  append_rows(files, 100, 50);
  expect_rows(files, 150);
  // Without a checkpoint it starts empty.
  RecordFiles anew = files_in(context, folder);
  ASSERT_TRUE(anew.open(nullptr).ok());
  expect_rows(anew, 0);
}

TEST(RecordFiles, ShorterThanTheCheckpointIsAnError) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  StateFile checkpoint;
  {
    RecordFiles files = files_in(context, folder);
    ASSERT_TRUE(files.open(nullptr).ok());
    append_rows(files, 0, 100);
    ASSERT_TRUE(files.checkpoint(checkpoint).ok());
  }
  std::filesystem::resize_file(folder / "run.records", 99 * sizeof(RecordRow));
  const Status cut = files_in(context, folder).open(&checkpoint);
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message.find("run.records"), std::string::npos);
}

TEST(RecordFiles, AnErrorOfTheVisitorEndsTheScan) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  RecordFiles files = files_in(context, folder);
  ASSERT_TRUE(files.open(nullptr).ok());
  append_rows(files, 0, 10);
  int visited = 0;
  const Status done = files.for_each([&](std::uint64_t index, const RecordRow&) -> Status {
    ++visited;
    if (index == 4) return io_error("enough");
    return {};
  });
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "enough");
  EXPECT_EQ(visited, 5);
}

}  // namespace
}  // namespace twinset
