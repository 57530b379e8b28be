// Sketches by line: written, held, cut back, damaged.
#include "run/sketch_file.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using testing::ScratchFolder;
using testing::unsynced;

constexpr std::size_t sketch_size = 12;

RunContext context_in(const ScratchFolder& folder) {
  RunContext context;
  context.files = &unsynced();
  context.tmp = folder.path();
  return context;
}

SketchFile file_in(const RunContext& context, std::size_t bytes = sketch_size) {
  return {{.context = &context, .path = context.tmp + "/x.sketches"}, bytes};
}

/// Sketch `i`, always the same.
std::string sketch_at(std::uint64_t i) {
  std::string sketch = std::to_string(i * 7919);
  sketch.resize(sketch_size, '.');
  return sketch;
}

void append_rows(SketchFile& file, std::uint64_t first, std::uint64_t count) {
  std::vector<SketchFile::Piece> pieces;
  std::string sketches;
  for (std::uint64_t i = 0; i < count; ++i) {
    pieces.push_back({i, sketch_size});
    sketches += sketch_at(first + i);
  }
  ASSERT_TRUE(file.append(count, pieces, sketches).ok());
}

void expect_rows(const SketchFile& file, std::uint64_t count) {
  EXPECT_EQ(file.rows(), count);
  std::uint64_t next = 0;
  ASSERT_TRUE(file.for_each([&](std::uint64_t index, std::span<const std::uint8_t> sketch) {
                    EXPECT_EQ(index, next++);
                    EXPECT_EQ(std::string(sketch.begin(), sketch.end()), sketch_at(index));
                    return Status();
                  })
                  .ok());
  EXPECT_EQ(next, count);
  std::vector<std::uint8_t> sketch;
  for (std::uint64_t i = 0; i < count; i += 1 + count / 50) {
    ASSERT_TRUE(file.read(i, sketch).ok());
    EXPECT_EQ(std::string(sketch.begin(), sketch.end()), sketch_at(i));
  }
  EXPECT_FALSE(file.read(count, sketch).ok());
}

TEST(SketchFile, GivesBackWhatWasAppended) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  SketchFile file = file_in(context);
  append_rows(file, 0, 3);
  append_rows(file, 3, 0);
  append_rows(file, 3, 100'000);
  expect_rows(file, 100'003);
  EXPECT_EQ(file.stored_bytes(), std::filesystem::file_size(folder / "x.sketches"));
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{1} << 16}) {
    ASSERT_TRUE(file.hold(memory).ok());
    expect_rows(file, 100'003);
    file.drop_held();
  }
  // Rows appended after hold() are found too.
  ASSERT_TRUE(file.hold(1 << 30).ok());
  append_rows(file, 100'003, 2);
  expect_rows(file, 100'005);
}

TEST(SketchFile, LinesWithoutASketchAndShortSketchesAreFilledWithZeros) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  SketchFile file = file_in(context);
  const std::vector<SketchFile::Piece> pieces{{2, 2}, {40'001, 0}, {40'002, 3}};
  ASSERT_TRUE(file.append(40'005, pieces, "abcde").ok());
  ASSERT_TRUE(file.append(5, {}, "").ok());
  EXPECT_EQ(file.rows(), 40'010U);
  std::map<std::uint64_t, std::string> sketches;
  ASSERT_TRUE(file.for_each([&](std::uint64_t index, std::span<const std::uint8_t> sketch) {
                    const std::string text(sketch.begin(), sketch.end());
                    if (text != std::string(sketch_size, '\0')) sketches[index] = text;
                    return Status();
                  })
                  .ok());
  ASSERT_EQ(sketches.size(), 2U);
  EXPECT_EQ(sketches[2], "ab" + std::string(sketch_size - 2, '\0'));
  EXPECT_EQ(sketches[40'002], "cde" + std::string(sketch_size - 3, '\0'));
}

// If a scheme's sketches differ in size, none are stored, and every pair is unknown.
TEST(SketchFile, OfNothingGivesEmptySketches) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  SketchFile file = file_in(context, 0);
  ASSERT_TRUE(file.append(3, {}, "").ok());
  EXPECT_EQ(file.stored_bytes(), 0U);
  ASSERT_TRUE(file.hold(1000).ok());
  std::vector<std::uint8_t> sketch{1, 2, 3};
  ASSERT_TRUE(file.read(0, sketch).ok());
  EXPECT_TRUE(sketch.empty());
}

TEST(SketchFile, GoesOnWhereItWasCut) {
  const ScratchFolder folder;
  const RunContext context = context_in(folder);
  std::vector<PartLength> lengths;
  {
    SketchFile cut = file_in(context);
    append_rows(cut, 0, 100);
    ASSERT_TRUE(cut.checkpoint(lengths).ok());
    append_rows(cut, 100, 77);
  }
  SketchFile file = file_in(context);
  ASSERT_TRUE(file.restore(lengths).ok());
  expect_rows(file, 100);
  append_rows(file, 100, 50);
  expect_rows(file, 150);
}

}  // namespace
}  // namespace twinset
