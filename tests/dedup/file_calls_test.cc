// There is no small read or write for each record: a run makes one call for every 32 KiB, one for
// each text that is fetched out of order, and a fixed number.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.h"
#include "support/counting_files.h"
#include "support_runs/job_testing.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"

namespace twinset::testing {
namespace {

constexpr std::size_t originals = 7000;
constexpr std::size_t copies = 3000;
constexpr std::uint64_t fixed_calls = 2000;

/// Texts of 90 random words, with edited copies of some of them in between, as JSON Lines.
const std::string& some_collection() {
  static const std::string lines = [] {
    std::mt19937_64 random(1);
    std::vector<std::vector<std::uint64_t>> texts;
    std::string out;
    while (texts.size() < originals + copies) {
      std::vector<std::uint64_t> text;
      if (texts.size() > 100 && random() % (originals + copies) < copies) {
        text = texts[random() % texts.size()];
        text[random() % text.size()] = random();
      } else {
        for (int i = 0; i < 90; ++i) text.push_back(random());
      }
      out += R"({"id": "record )" + std::to_string(texts.size()) + R"(", "date": ")" +
             std::to_string(random() % 3000) + R"(", "text": ")";
      for (const std::uint64_t word : text) out += "w" + std::to_string(word % 9973) + " ";
      out += "\"}\n";
      texts.push_back(std::move(text));
    }
    return out;
  }();
  return lines;
}

std::string write_collection(const ScratchFolder& folder, Compression compression) {
  if (compression == Compression::none) return folder.write("in.jsonl", some_collection());
  const std::string path = folder / "in.jsonl.zst";
  auto sink = create_bytes(unsynced(), path, compression);
  EXPECT_TRUE(sink.ok() && sink.value()->write(some_collection()).ok() &&
              sink.value()->finish().ok());
  return path;
}

void expect_few_calls(const CountingFiles& files, std::uint64_t texts, std::string_view what) {
  EXPECT_LE(files.calls(), files.bytes() / 32768 + texts + fixed_calls)
      << what << ": " << files.bytes() << " bytes, " << texts << " texts";
}

TEST(FileCalls, OfDedupAreThoseOfItsBytes) {
  for (const Compression compression : {Compression::none, Compression::zstd}) {
    for (const char* keep : {"first", "newest:date"}) {
      for (const std::uint64_t memory_mebibytes : {128, 1024}) {
        const ScratchFolder folder;
        CountingFiles files(unsynced());
        DedupOptions options;
        options.inputs = {write_collection(folder, compression)};
        options.output = folder / "out";
        options.keep = keep;
        options.write_removed = true;
        options.resources.threads = 2;
        options.resources.memory = memory_mebibytes << 20;
        const Result<DedupSummary> done = dedup(options, {nullptr, nullptr, &files});
        ASSERT_TRUE(done.ok()) << done.error().message;
        // Each would cost a few calls if it were looked up by itself.
        ASSERT_GT(done.value().total.near, copies / 2);
        expect_few_calls(
            files, 2 * done.value().verified_pairs,
            std::string(keep) + " " + options.inputs[0] + " " + std::to_string(memory_mebibytes));
      }
    }
  }
}

TEST(FileCalls, OfDedupWithContainmentAreThoseOfItsBytes) {
  const ScratchFolder folder;
  CountingFiles files(unsynced());
  DedupOptions options;
  options.inputs = {write_collection(folder, Compression::none)};
  options.output = folder / "out";
  options.containment = Ratio(9, 10);
  options.resources.threads = 2;
  options.resources.memory = std::uint64_t{256} << 20;
  const Result<DedupSummary> done = dedup(options, {nullptr, nullptr, &files});
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_GT(done.value().total.removed(), copies / 2);
  expect_few_calls(files, 2 * done.value().verified_pairs, "containment");
}

TEST(FileCalls, OfClusterAreThoseOfItsBytes) {
  for (const char* scheme : {"mod(samples=64)", "fss"}) {
    const ScratchFolder folder;
    CountingFiles files(unsynced());
    ClusterOptions options;
    options.inputs = {write_collection(folder, Compression::zstd)};
    options.output = folder / "out";
    options.scheme = scheme;
    options.resources.threads = 2;
    options.resources.memory = std::uint64_t{256} << 20;
    const Result<ClusterSummary> done = cluster(options, {nullptr, nullptr, &files});
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_GT(done.value().kept_pairs, copies / 2);
    expect_few_calls(files, 2 * done.value().verified_pairs, scheme);
  }
}

}  // namespace
}  // namespace twinset::testing
