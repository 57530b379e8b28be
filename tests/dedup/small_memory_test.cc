// A small budget just works unless a record or window does not fit, and then the run continues with
// a larger one.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/memory_plan.h"
#include "support_runs/job_testing.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset::testing {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string words(std::size_t bytes, std::uint64_t seed) {
  std::string text;
  for (std::uint64_t i = seed; text.size() < bytes; i = i * 6364136223846793005ULL + 1442695ULL) {
    text += "word" + std::to_string(i >> 40) + " ";
  }
  return text;
}

std::string line(const std::string& id, const std::string& text) {
  return R"({"id": ")" + id + R"(", "text": ")" + text + "\"}\n";
}

DedupOptions with_memory(const ScratchFolder& folder, std::uint64_t memory_bytes,
                         unsigned threads = 2) {
  DedupOptions options;
  options.output = folder / "out";
  options.resources.memory = memory_bytes;
  options.resources.threads = threads;
  return options;
}

std::uint64_t needed_bytes(const std::string& message) {
  const std::size_t at = message.find("needs ");
  return at == std::string::npos ? 0 : std::stoull(message.substr(at + 6));
}

std::string kept_file(const DedupOptions& options, const std::string& name) {
  return get_file(options.output + "/" + name) + get_file(options.output + "/removed.jsonl.zst");
}

TEST(SmallMemory, TheFloorDoesWhatMoreDoes) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 7; ++i) lines += line(std::to_string(i), words(300, i / 2));
  const std::string in = folder.write("in.jsonl", lines);
  std::vector<std::string> found;
  for (const std::uint64_t memory : {128 * mebibyte, 4096 * mebibyte}) {
    const ScratchFolder out;
    DedupOptions options = with_memory(out, memory);
    options.inputs = {in};
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.removed(), 3U);
    found.push_back(kept_file(options, "in.jsonl"));
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(SmallMemory, ThreadsAreAsManyAsItHasRoomFor) {
  const ScratchFolder folder;
  DedupOptions options = with_memory(folder, 96 * mebibyte, 0);
  options.inputs = {folder.write("in.jsonl", line("a", "some words"))};
  EXPECT_TRUE(dedup(options, quiet_control()).ok());
  options.output = folder / "two";
  options.resources.threads = 2;
  const Result<DedupSummary> refused = dedup(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_EQ(refused.error().text(Door::command_line),
            "--memory 101 MB is too little: a run with 2 threads needs 134217728 bytes (134 MB); "
            "with fewer --threads less is enough");
}

// A record that the budget cannot hold ends the run with file, record and bytes; the same command
// with so much memory continues from its checkpoint, to the bytes of an uninterrupted run.
TEST(SmallMemory, ALongRecordNamesWhatItNeedsAndTheRunGoesOnWithIt) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += line(std::to_string(i), words(20'000, i / 2));
  const std::string longest = line("long", words(5 * mebibyte, 7));
  lines += longest;
  for (int i = 0; i < 5; ++i) lines += line("b" + std::to_string(i), words(300, 900 + i));
  const std::string in = folder.write("in.jsonl", lines);
  DedupOptions options = with_memory(folder, 128 * mebibyte);
  options.inputs = {in};
  options.resources.checkpoint = mebibyte;
  const Result<DedupSummary> refused = dedup(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  const std::string message = refused.error().text(Door::command_line);
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_NE(
      message.find("record 301 of " + in + ", of " + std::to_string(longest.size()) + " bytes,"),
      std::string::npos)
      << message;
  const std::uint64_t needed = needed_bytes(message);
  ASSERT_GT(needed, 128 * mebibyte) << message;
  options.resources.memory = needed - 32 * mebibyte;
  EXPECT_FALSE(dedup(options, quiet_control()).ok());
  options.resources.memory = needed;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_TRUE(done.value().resumed);
  EXPECT_EQ(done.value().total.quarantined, 0U);
  EXPECT_EQ(done.value().total.removed(), 150U);

  const ScratchFolder other;
  DedupOptions usual = with_memory(other, 2048 * mebibyte);
  usual.inputs = {in};
  ASSERT_TRUE(dedup(usual, quiet_control()).ok());
  EXPECT_EQ(kept_file(options, "in.jsonl"), kept_file(usual, "in.jsonl"));
}

// --max-record alone decides which records are quarantined, even if memory could not hold them.
TEST(SmallMemory, ARecordOverTheMostIsQuarantinedWhateverTheMemory) {
  const ScratchFolder folder;
  const std::string text = words(9 * mebibyte, 3);
  const std::string lines = line("a", "few words") + line("b", text) + line("c", "other words");
  const std::string in = folder.write("in.jsonl", lines);
  const std::string page = folder.write("page.txt", text);
  for (const std::uint64_t memory : {96 * mebibyte, 2048 * mebibyte}) {
    const ScratchFolder out;
    DedupOptions options = with_memory(out, memory, 1);
    options.inputs = {in, page};
    options.input.max_record = 8 * mebibyte;
    const Result<DedupSummary> done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.quarantined, 2U);
    EXPECT_EQ(done.value().total.kept, 2U);
  }
  const ScratchFolder out;
  DedupOptions options = with_memory(out, 96 * mebibyte, 1);
  options.inputs = {page};
  const Result<DedupSummary> refused = dedup(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("record 1 of " + page + ", of " +
                                         std::to_string(text.size()) + " bytes,"),
            std::string::npos)
      << refused.error().message;
}

// Long records are read again one pair at a time; decisions and bytes stay the same.
TEST(SmallMemory, LongNearCopiesAreFoundWithAnyMemoryAndThreads) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 6; ++i) {
    const std::string text = words(3 * mebibyte, i / 3);
    lines += line("long" + std::to_string(i), text + (i % 3 == 0 ? "" : words(200, 50 + i)));
    for (int k = 0; k < 40; ++k) {
      lines += line("s" + std::to_string(40 * i + k),
                    words(2000, 1000 + (40 * i + k) / 4) + words(20, 5000 + k));
    }
  }
  const std::string in = folder.write("in.jsonl", lines);
  std::string first;
  for (const unsigned threads : {1U, 4U}) {
    for (const std::uint64_t more : {100 * mebibyte, 4096 * mebibyte}) {
      const ScratchFolder out;
      DedupOptions options = with_memory(out, MemoryPlan::floor(threads) + more, threads);
      options.inputs = {in};
      const Result<DedupSummary> done = dedup(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_GE(done.value().total.near, 4U + 100U);
      if (first.empty()) first = kept_file(options, "in.jsonl");
      EXPECT_EQ(kept_file(options, "in.jsonl"), first) << threads << " " << more;
    }
  }
}

TEST(SmallMemory, AWideWindowNamesWhatItNeeds) {
  const ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += line(std::to_string(i), words(300, i / 2));
  // Streamed, so that the frame does not give its small content size.
  std::string stored(ZSTD_compressBound(lines.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 27);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_inBuffer input{lines.data(), lines.size(), 0};
  ZSTD_outBuffer output{stored.data(), stored.size(), 0};
  ASSERT_EQ(ZSTD_isError(ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue)), 0U);
  ASSERT_EQ(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end), 0U);
  ZSTD_freeCCtx(context);
  stored.resize(output.pos);
  const std::string in = folder.write("in.jsonl.zst", stored);
  DedupOptions options = with_memory(folder, 128 * mebibyte);
  options.inputs = {in};
  const Result<DedupSummary> refused = dedup(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  const std::string message = refused.error().text(Door::command_line);
  EXPECT_EQ(message.find(in + ": the zstd frame at byte 0 asks for a window of 134217728 bytes; "
                              "--memory 134 MB is too little: such a window needs "),
            0U)
      << message;
  const std::uint64_t needed = needed_bytes(message);
  EXPECT_GE(needed, 256 * mebibyte);
  EXPECT_LE(needed, 400 * mebibyte);
  options.resources.memory = needed;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().total.removed(), 50U);
}

}  // namespace
}  // namespace twinset::testing
