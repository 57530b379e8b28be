// Rows, names and sketches: written, cut back, damaged.
#include "run/record_files.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/job_testing.h"

namespace twinset {
namespace {

using testing::folder_bytes;
using testing::ScratchFolder;
using testing::unsynced;

constexpr std::size_t sketch_size = 12;

RunContext context_in(const ScratchFolder& folder) {
  RunContext context;
  context.files = &unsynced();
  context.tmp = folder.path();
  return context;
}

/// Record `i`, the same whenever asked: its row, names and sketch.
struct MadeRow {
  explicit MadeRow(std::uint64_t i) : random(i) {
    row.offset = random();
    row.length = static_cast<std::uint32_t>(random());
    row.size = static_cast<std::uint32_t>(random());
    row.keys = static_cast<std::uint32_t>(random());
    fate = static_cast<Fate>(random() % 4);
    id = i % 5 == 0 ? "" : "\"id-" + std::string(random() % 40, 'x') + std::to_string(i) + "\"";
    order = i % 3 == 0 ? "" : std::to_string(random());
    for (std::size_t at = 0; at < sketch_size; ++at) sketch += static_cast<char>(random());
  }
  std::mt19937_64 random;
  RecordRow row;
  Fate fate;
  std::string id;
  std::string order;
  std::string sketch;
};

void append_rows(RecordFiles& files, std::uint64_t first, std::uint64_t count) {
  std::vector<RecordRow> rows;
  std::string names;
  std::string sketches;
  for (std::uint64_t i = first; i < first + count; ++i) {
    MadeRow made(i);
    made.row.name_offset = names.size();
    made.row.id_bytes = static_cast<std::uint32_t>(made.id.size());
    made.row.order_bytes = static_cast<std::uint32_t>(made.order.size());
    made.row.seal(made.fate);
    rows.push_back(made.row);
    names += made.id + made.order;
    sketches += made.sketch;
  }
  const std::vector<std::uint32_t> sizes(rows.size(), sketch_size);
  ASSERT_TRUE(files.append(rows, names, sketches, sizes).ok());
}

void expect_rows(const RecordFiles& files, std::uint64_t count) {
  EXPECT_EQ(files.lengths().rows, count);
  const auto expect_row = [&](std::uint64_t i, const RecordRow& row) {
    const MadeRow made(i);
    ASSERT_EQ(row.offset, made.row.offset) << i;
    ASSERT_EQ(row.length, made.row.length);
    ASSERT_EQ(row.size, made.row.size);
    ASSERT_EQ(row.keys, made.row.keys);
    ASSERT_EQ(row.fate(), made.fate);
    std::string id;
    std::string order;
    ASSERT_TRUE(files.names(row, id, order).ok());
    ASSERT_EQ(id, made.id);
    ASSERT_EQ(order, made.order);
    std::vector<std::uint8_t> sketch;
    ASSERT_TRUE(files.sketch(i, sketch).ok());
    ASSERT_EQ(std::string(sketch.begin(), sketch.end()), made.sketch);
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
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  ASSERT_TRUE(files.ok());
  expect_rows(*files.value(), 0);
  append_rows(*files.value(), 0, 3);
  append_rows(*files.value(), 3, 0);
  append_rows(*files.value(), 3, 20'000);
  append_rows(*files.value(), 20'003, 1);
  expect_rows(*files.value(), 20'004);
  std::uint64_t stored = 0;
  for (const auto& [name, bytes] : folder_bytes(folder.path())) stored += bytes.size();
  EXPECT_EQ(files.value()->stored_bytes(), stored);
  ASSERT_TRUE(files.value()->remove().ok());
  EXPECT_TRUE(folder_bytes(folder.path()).empty());
}

// Blank lines take their place among the rows, and short sketches are followed by zeros.
TEST(RecordFiles, AbsentRowsStandWhereTheyWere) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  ASSERT_TRUE(files.ok());
  std::vector<RecordRow> rows(3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].offset = 100 + i;
    rows[i].name_offset = i;
    rows[i].id_bytes = 1;
    rows[i].seal(Fate::kept);
  }
  const std::vector<std::uint32_t> sizes{2, 0, 3};
  const std::vector<AbsentRows> absent{{0, 2}, {1, 40'000}, {3, 1}};
  ASSERT_TRUE(files.value()->append(rows, "xyz", "abcde", sizes, absent).ok());
  ASSERT_TRUE(files.value()->append({}, {}, {}, {}, std::vector<AbsentRows>{{0, 5}}).ok());
  EXPECT_EQ(files.value()->lengths().rows, 40'011U);
  std::map<std::uint64_t, std::string> kept;
  ASSERT_TRUE(files.value()
                  ->for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
                    if (row.fate() == Fate::absent) return {};
                    std::string order;
                    return files.value()->names(row, kept[index], order);
                  })
                  .ok());
  EXPECT_EQ(kept, (std::map<std::uint64_t, std::string>{{2, "x"}, {40'003, "y"}, {40'004, "z"}}));
  std::map<std::uint64_t, std::string> sketches;
  ASSERT_TRUE(files.value()
                  ->for_each_sketch([&](std::uint64_t index, std::span<const std::uint8_t> sketch) {
                    const std::string text(sketch.begin(), sketch.end());
                    if (text != std::string(sketch_size, '\0')) sketches[index] = text;
                    return Status();
                  })
                  .ok());
  ASSERT_EQ(sketches.size(), 2U);
  EXPECT_EQ(sketches[2], "ab" + std::string(sketch_size - 2, '\0'));
  EXPECT_EQ(sketches[40'004], "cde" + std::string(sketch_size - 3, '\0'));
}

TEST(RecordFiles, GoOnWhereACheckpointWas) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  RecordLengths checkpoint;
  {
    auto files = RecordFiles::open(context, folder / "run", sketch_size);
    append_rows(*files.value(), 0, 100);
    ASSERT_TRUE(files.value()->sync().ok());
    checkpoint = files.value()->lengths();
    append_rows(*files.value(), 100, 77);
  }
  // A torn row of a killed run stands at the end.
  for (const char* suffix : {".records", ".names", ".sketches"}) {
    auto file = disk().open(folder / ("run" + std::string(suffix)), OpenMode::append);
    ASSERT_TRUE(file.value()->append("torn").ok());
  }
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  ASSERT_TRUE(files.value()->truncate(checkpoint).ok());
  expect_rows(*files.value(), 100);
  append_rows(*files.value(), 100, 50);
  expect_rows(*files.value(), 150);
}

TEST(RecordFiles, ShorterThanTheCheckpointIsAnError) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  RecordLengths checkpoint;
  {
    auto files = RecordFiles::open(context, folder / "run", sketch_size);
    append_rows(*files.value(), 0, 100);
    checkpoint = files.value()->lengths();
  }
  std::filesystem::resize_file(folder / "run.records", 99 * sizeof(RecordRow));
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  const Status cut = files.value()->truncate(checkpoint);
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message.find("run.records"), std::string::npos);
}

// A scheme whose sketches differ in size keeps none: nothing is known of a pair.
TEST(RecordFiles, WithoutSketchesGivesEmptyOnes) {
  const ScratchFolder folder;
  auto files = RecordFiles::open(context_in(folder), folder / "run", 0);
  ASSERT_TRUE(files.ok());
  std::vector<RecordRow> rows(1);
  rows[0].seal(Fate::kept);
  ASSERT_TRUE(files.value()->append(rows, "", "", {}).ok());
  ASSERT_TRUE(files.value()->hold_sketches(1000).ok());
  std::vector<std::uint8_t> sketch{1, 2, 3};
  ASSERT_TRUE(files.value()->sketch(0, sketch).ok());
  EXPECT_TRUE(sketch.empty());
}

// Any one bit of a row or of a sketch: never another document's numbers.
TEST(RecordFiles, EveryFlippedBitIsSeen) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  append_rows(*files.value(), 0, 3);
  for (const auto& [name, row_bytes] :
       {std::pair{"run.records", sizeof(RecordRow)},
        std::pair{"run.sketches", sketch_size + sizeof(std::uint32_t)}}) {
    auto file = disk().open(folder / name, OpenMode::append);
    ASSERT_TRUE(file.ok());
    for (std::size_t bit = 0; bit < row_bytes * 8; ++bit) {
      const std::uint64_t at = row_bytes + bit / 8;
      char byte = 0;
      ASSERT_TRUE(file.value()->read_at(at, &byte, 1).ok());
      const char flipped = static_cast<char>(byte ^ (1 << (bit % 8)));
      ASSERT_TRUE(file.value()->write_at(at, {&flipped, 1}).ok());
      std::vector<std::uint8_t> sketch;
      const Status read = name == std::string("run.records") ? [&]() -> Status {
        const Result<RecordRow> row = files.value()->row(1);
        if (!row.ok()) return row.error();
        return {};
      }()
          : files.value()->sketch(1, sketch);
      ASSERT_FALSE(read.ok()) << name << " bit " << bit;
      ASSERT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
      ASSERT_TRUE(file.value()->write_at(at, {&byte, 1}).ok());
    }
  }
  expect_rows(*files.value(), 3);
}

TEST(RecordFiles, WithoutSketchesNoneAreStored) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  auto files = RecordFiles::open(context, folder / "run", 0);
  ASSERT_TRUE(files.ok());
  RecordRow row;
  row.seal(Fate::kept);
  ASSERT_TRUE(files.value()->append(std::span(&row, 1), "", "", {}).ok());
  EXPECT_EQ(files.value()->stored_bytes(), sizeof(RecordRow));
  ASSERT_TRUE(files.value()->truncate({1, 0}).ok());
  EXPECT_TRUE(files.value()->row(0).ok());
}

TEST(RecordFiles, AnErrorOfTheVisitorEndsTheScan) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  auto files = RecordFiles::open(context, folder / "run", sketch_size);
  append_rows(*files.value(), 0, 10);
  int visited = 0;
  const Status done = files.value()->for_each([&](std::uint64_t index, const RecordRow&) -> Status {
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
